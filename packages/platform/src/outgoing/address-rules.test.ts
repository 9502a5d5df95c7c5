import { describe, expect, test } from '@jest/globals';
import {
  canonicalAddress,
  isForbiddenAddress,
  isLoopback,
  isPublicAddress,
} from './address-rules.ts';
import { TargetRefused } from './outgoing-errors.ts';
import { checkTargetUrl } from './target-guard.ts';

describe('forbidden addresses', () => {
  test.each([
    // link-local addresses, which most clouds use for metadata services
    '169.254.169.254',
    '169.254.0.1',
    '169.254.170.2',
    '169.254.255.255',
    'fe80::1',
    'fe80::1%eth0',
    'fe80::a9fe:a9fe',
    'febf:ffff::1',
    // metadata services at other addresses
    '100.100.100.200',
    '168.63.129.16',
    '192.0.0.192',
    'fd00:ec2::254',
    'fd00:ec2::23',
    'fd20:ce::254',
    'fd00:c1::a9fe:a9fe',
    'fd00:42::42',
    'fd00:a9fe:a9fe::1',
    // addresses that do not name a single host
    '0.0.0.0',
    '0.1.2.3',
    '::',
    '0:0:0:0:0:0:0:0',
    '224.0.0.1',
    '239.255.255.250',
    '240.0.0.1',
    '255.255.255.255',
    'ff02::1',
    'ff0e::1',
    // IPv4 addresses embedded in IPv6 addresses
    '::ffff:169.254.169.254',
    '::ffff:a9fe:a9fe',
    '0:0:0:0:0:ffff:a9fe:a9fe',
    '::FFFF:A9FE:A9FE',
    '::169.254.169.254',
    '::a9fe:a9fe',
    '::ffff:0:169.254.169.254',
    '::ffff:0.0.0.0',
    '::ffff:100.100.100.200',
    '64:ff9b::169.254.169.254',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b:1:a9fe:a9:fe00::',
    '64:ff9b:1:a9:fe:a9fe::',
    '64:ff9b:1:0:a9:fea9:fe00::',
    '64:ff9b:1::a9fe:a9fe',
    '2002:a9fe:a9fe::1',
    '2001:0:a9fe:a9fe::1',
    '2001:0:4136:e378:8000:63bf:5601:5601',
    '2001:db8::5efe:169.254.169.254',
    '2001:db8::200:5efe:a9fe:a9fe',
    // texts that are not addresses
    '',
    'metadata.google.internal',
    '169.254.169',
    '0xa9fea9fe',
  ])('%s', (address) => expect(isForbiddenAddress(address)).toBe(true));
});

describe('allowed addresses', () => {
  test.each([
    '127.0.0.1',
    '127.8.9.10',
    '::1',
    '::ffff:127.0.0.1',
    '10.0.0.1',
    '172.16.0.1',
    '192.168.1.1',
    '100.64.0.1',
    '100.100.100.201',
    '168.63.129.17',
    '169.253.255.255',
    '169.255.0.0',
    '192.0.0.191',
    '223.255.255.255',
    '93.184.216.34',
    'fd00::1',
    'fd00:ec3::254',
    'fec0::1',
    '2606:2800:220:1:248:1893:25c8:1946',
    '::ffff:93.184.216.34',
    '64:ff9b::5db8:d822',
    '2002:5db8:d822::1',
  ])('%s', (address) => expect(isForbiddenAddress(address)).toBe(false));
});

describe('public addresses', () => {
  test.each([
    '93.184.216.34',
    '223.255.255.255',
    '2606:2800:220:1:248:1893:25c8:1946',
    '::ffff:93.184.216.34',
    '64:ff9b::5db8:d822',
    '2002:5db8:d822::1',
  ])('%s is one', (address) => expect(isPublicAddress(address)).toBe(true));

  test.each([
    '127.0.0.1',
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '100.64.0.1',
    '198.18.0.1',
    '192.0.2.1',
    '169.254.169.254',
    '0.0.0.0',
    '::1',
    'fd00::1',
    'fec0::1',
    'fe80::1%eth0',
    '::ffff:10.0.0.1',
    '::127.0.0.1',
    '64:ff9b::c0a8:101',
    '2002:a00:1::1',
    'fd00::5efe:5db8:d822',
    '2606:2800::5efe:a00:1',
    'example.com',
    '',
  ])('%s is none', (address) => expect(isPublicAddress(address)).toBe(false));
});

describe('URLs with addresses', () => {
  test.each([
    'http://169.254.169.254/latest/meta-data/',
    'http://169.254.169.254:80/',
    'https://169.254.169.254/',
    'http://169.254.169.254./',
    'http://2852039166/',
    'http://0xa9fea9fe/',
    'http://0XA9FEA9FE/',
    'http://025177524776/',
    'http://0251.0376.0251.0376/',
    'http://0xa9.0xfe.0xa9.0xfe/',
    'http://0xa9.254.0251.254/',
    'http://169.254.43518/',
    'http://169.16689662/',
    'http://169.0xfea9fe/',
    'http://%31%36%39.254.169.254/',
    'http://１６９.２５４.１６９.２５４/',
    'http://169。254。169。254/',
    'http://①⑥⑨.②⑤④.①⑥⑨.②⑤④/',
    'http:\\\\169.254.169.254\\',
    'http:169.254.169.254',
    'http://[::ffff:169.254.169.254]/',
    'http://[::ffff:a9fe:a9fe]/',
    'http://[0:0:0:0:0:ffff:a9fe:a9fe]/',
    'http://[fe80::1]/',
    'http://[fd00:ec2::254]/',
    'http://[64:ff9b::a9fe:a9fe]/',
    'http://[::]/',
    'http://0/',
    'http://0.0.0.0/',
    'http://1677721600@0x0/',
    'http://255.255.255.255/',
    'http://0x646464c8/',
    'http://user@example.com/',
    'http://user:password@example.com/',
    'http://:password@example.com/',
    'ftp://example.com/',
    'file:///etc/passwd',
    'data:image/png;base64,AA==',
    'gopher://example.com/',
    'javascript:alert(1)',
    'ws://example.com/',
    'blob:http://example.com/x',
  ])('%s is refused', (url) => {
    expect(() => checkTargetUrl(new URL(url))).toThrow(TargetRefused);
  });

  test.each([
    'http://example.com/a.jpg',
    'HTTPS://EXAMPLE.COM:8443/a.jpg?x=1#y',
    'http://127.0.0.1:9000/',
    'http://0x7f.1/',
    'http://2130706433/',
    'http://localhost:3000/',
    'http://192.168.0.10/',
    'http://[::1]:3000/',
    'http://[fd12:3456::1]/',
    // host names, which are checked only after they are resolved
    'http://metadata.google.internal/',
    'http://169.254.169.254.nip.example/',
  ])('%s is not', (url) => {
    expect(() => checkTargetUrl(new URL(url))).not.toThrow();
  });

  test.each(['http://169.254.169.256/', 'http://[fe80::1%25eth0]/', 'http://[::1', 'http://a b/'])(
    '%s is no URL at all',
    (url) => expect(URL.canParse(url)).toBe(false),
  );
});

describe('the same host', () => {
  test.each([
    ['::ffff:10.0.0.1', '10.0.0.1'],
    ['FD00:0:0::1', 'fd00:0:0:0:0:0:0:1'],
    ['fe80::1%eth0', 'fe80:0:0:0:0:0:0:1'],
  ])('%s is %s', (address, canonical) => expect(canonicalAddress(address)).toBe(canonical));

  test.each(['127.0.0.1', '127.255.0.1', '::1', '0:0:0:0:0:0:0:1', '::ffff:127.0.0.1'])(
    '%s is this machine',
    (address) => expect(isLoopback(address)).toBe(true),
  );

  test.each(['128.0.0.1', '10.0.0.1', '::2', 'fe80::1'])('%s is not', (address) =>
    expect(isLoopback(address)).toBe(false),
  );
});
