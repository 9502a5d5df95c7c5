import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { withoutBrackets } from './url-endpoint.ts';

/**
 * Link-local addresses, addresses of cloud metadata services, and addresses that do not name a single host. Private
 * ranges are not in the list, because images may be in the user's own network.
 */
const FORBIDDEN_IPV4 = [
  '0.0.0.0/8', // this host; on many systems an alias of loopback, which would bypass a filter for loopback
  '100.100.100.200/32', // metadata of Alibaba Cloud
  '168.63.129.16/32', // platform services of Azure
  '169.254.0.0/16', // link-local: metadata of AWS, Google, Azure, Oracle, OpenStack, ...
  '192.0.0.192/32', // metadata of Oracle Cloud (classic)
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, and broadcast
];

const FORBIDDEN_IPV6 = [
  '::/128', // this host
  'fe80::/10', // link-local
  'ff00::/8', // multicast
  'fd00:ec2::/32', // metadata, DNS and time of AWS
  'fd20:ce::/32', // metadata of Google Cloud
  'fd00:c1::/32', // metadata of Oracle Cloud
  'fd00:42::42/128', // metadata of Scaleway
  'fd00:a9fe:a9fe::/48', // metadata of Akamai (Linode)
];

const LOOPBACK = ['127.0.0.0/8', '::1/128'];

const forbidden = createBlockList([...FORBIDDEN_IPV4, ...FORBIDDEN_IPV6]);
const loopback = createBlockList(LOOPBACK);

/**
 * Whether the service must never send a request to the address. An IPv6 address with an embedded IPv4 address (mapped,
 * compatible, translated, NAT64, 6to4, Teredo, ISATAP) is treated like the IPv4 address.
 *
 * @param address IPv4 in dotted decimals or IPv6 without brackets; any other text counts as forbidden
 */
export function isForbiddenAddress(address: string): boolean {
  if (isIPv4(address)) return forbidden.check(address, 'ipv4');
  if (!isIPv6(address)) return true;
  if (isLoopback(address)) return false;
  return (
    forbidden.check(withoutZone(address), 'ipv6') ||
    embeddedIPv4(address).some((inner) => forbidden.check(inner, 'ipv4'))
  );
}

/** The IPv6 ranges whose addresses contain an IPv4 address and stand for it, as `ipaddr.js` names them. */
const TRANSLATED = new Set(['ipv4Mapped', 'rfc6052', 'rfc6145', '6to4', 'teredo']);

/**
 * Whether the address belongs to the public internet. Addresses of private networks, of this machine and of all other
 * ranges in IANA's registries of special-purpose addresses are not public.
 *
 * @param address in the form that {@link isForbiddenAddress} expects; any other text is not public
 */
export function isPublicAddress(address: string): boolean {
  if (isForbiddenAddress(address)) return false;
  if (isIPv4(address)) return isPublicIPv4(address);
  const range = ipaddr.IPv6.parse(withoutZone(address)).range();
  if (range !== 'unicast' && !TRANSLATED.has(range)) return false;
  return embeddedIPv4(address).every(isPublicIPv4);
}

function isPublicIPv4(address: string): boolean {
  return ipaddr.IPv4.parse(address).range() === 'unicast';
}

/** Whether the address is a loopback address, in any notation. */
export function isLoopback(address: string): boolean {
  if (isIPv4(address)) return loopback.check(address, 'ipv4');
  return loopback.check(withoutZone(address), 'ipv6') || isMappedLoopback(address);
}

/**
 * Converts an address to its only canonical text, so that equal addresses have equal texts. An IPv4-mapped IPv6
 * address becomes the IPv4 address.
 */
export function canonicalAddress(address: string): string {
  return ipaddr.process(withoutZone(address)).toNormalizedString();
}

/** Converts the host of a URL to its only canonical text: an address, or a name without a dot at its end. */
export function canonicalHost(host: string): string {
  const bare = withoutBrackets(host);
  return isIP(bare) === 0 ? bare.toLowerCase().replace(/\.$/, '') : canonicalAddress(bare);
}

function isMappedLoopback(address: string): boolean {
  const canonical = canonicalAddress(address);
  return isIPv4(canonical) && loopback.check(canonical, 'ipv4');
}

/** For each IPv6 prefix, the indexes of the embedded IPv4 address in the 16 bytes of the IPv6 address. */
const EMBEDDINGS: readonly { readonly prefix: string; readonly at: readonly number[] }[] = [
  { prefix: '::/96', at: [12, 13, 14, 15] }, // compatible (RFC 4291, 2.5.5.1)
  { prefix: '::ffff:0:0/96', at: [12, 13, 14, 15] }, // mapped (RFC 4291, 2.5.5.2)
  { prefix: '::ffff:0:0:0/96', at: [12, 13, 14, 15] }, // translated (RFC 2765)
  { prefix: '64:ff9b::/96', at: [12, 13, 14, 15] }, // NAT64 (RFC 6052)
  { prefix: '64:ff9b:1::/48', at: [6, 7, 9, 10] }, // local NAT64 (RFC 8215) with a /48 prefix
  { prefix: '64:ff9b:1::/48', at: [7, 9, 10, 11] }, // local NAT64 with a /56 prefix
  { prefix: '64:ff9b:1::/48', at: [9, 10, 11, 12] }, // local NAT64 with a /64 prefix
  { prefix: '64:ff9b:1::/48', at: [12, 13, 14, 15] }, // local NAT64 with a /96 prefix
  { prefix: '2002::/16', at: [2, 3, 4, 5] }, // 6to4 (RFC 3056)
  { prefix: '2001::/32', at: [4, 5, 6, 7] }, // server address of Teredo (RFC 4380)
];

const TEREDO = '2001::/32';
const ISATAP_MARK = [0x5e, 0xfe];

function embeddedIPv4(address: string): string[] {
  const parsed = ipaddr.IPv6.parse(withoutZone(address));
  const bytes = parsed.toByteArray();
  const pick = (at: readonly number[]): string => at.map((index) => bytes[index]).join('.');
  const found = EMBEDDINGS.filter(({ prefix }) => parsed.match(ipaddr.IPv6.parseCIDR(prefix))).map(
    ({ at }) => pick(at),
  );
  if (parsed.match(ipaddr.IPv6.parseCIDR(TEREDO))) {
    // Teredo stores the client's address with all bits inverted.
    found.push(
      bytes
        .slice(12)
        .map((byte) => byte ^ 0xff)
        .join('.'),
    );
  }
  if (ISATAP_MARK.every((byte, index) => bytes[10 + index] === byte)) {
    found.push(pick([12, 13, 14, 15])); // ISATAP (RFC 5214), under any prefix
  }
  return found;
}

/** Whether a text is an address, or a network such as `10.0.0.0/8`, in the form that {@link createBlockList} expects. */
export function isNetwork(text: string): boolean {
  const [, address = '', bits = '0'] = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  return isIP(address) !== 0 && Number(bits) <= (isIPv4(address) ? 32 : 128);
}

/** @param ranges networks such as `10.0.0.0/8`; a range without a length is a single address */
export function createBlockList(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', bits] = range.split('/');
    const family = isIPv4(address) ? 'ipv4' : 'ipv6';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}

function withoutZone(address: string): string {
  return address.replace(/%.*$/, '');
}
