/** The languages of the programs that check a signature. */
export const LANGUAGES = ['node', 'python', 'go'] as const;

export type Language = (typeof LANGUAGES)[number];

export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  node: 'Node.js',
  python: 'Python',
  go: 'Go',
};

/** Programs that check the signature of a message (Standard Webhooks), which also covers its id and its time. */
export const SIGNATURE_SAMPLES: Readonly<Record<Language, string>> = {
  node: `import { createHmac, timingSafeEqual } from 'node:crypto';

export function isGenuine(rawBody, headers, secret) {
  const stamp = headers['webhook-timestamp'] ?? '';
  if (!(Math.abs(Date.now() / 1000 - Number(stamp)) < 300)) return false;
  const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : secret;
  const wanted = createHmac('sha256', key)
    .update(\`\${headers['webhook-id']}.\${stamp}.\`)
    .update(rawBody)
    .digest();
  return (headers['webhook-signature'] ?? '').split(' ').some((each) => {
    const given = Buffer.from(each.slice(each.indexOf(',') + 1), 'base64');
    return given.length === wanted.length && timingSafeEqual(given, wanted);
  });
}
`,
  python: `import base64, hashlib, hmac, time

def is_genuine(raw_body: bytes, headers, secret: str) -> bool:
    stamp = headers["webhook-timestamp"]
    if abs(time.time() - int(stamp)) > 300:
        return False
    key = base64.b64decode(secret[6:]) if secret.startswith("whsec_") else secret.encode()
    signed = f"{headers['webhook-id']}.{stamp}.".encode() + raw_body
    wanted = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    given = [each.partition(",")[2] for each in headers["webhook-signature"].split()]
    return any(hmac.compare_digest(wanted, one) for one in given)
`,
  go: `package webhooks

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

func IsGenuine(rawBody []byte, header http.Header, secret string) bool {
	stamp := header.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(stamp, 10, 64)
	if err != nil || time.Since(time.Unix(seconds, 0)).Abs() > 5*time.Minute {
		return false
	}
	key := []byte(secret)
	if text, found := strings.CutPrefix(secret, "whsec_"); found {
		if key, err = base64.StdEncoding.DecodeString(text); err != nil {
			return false
		}
	}
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%s.", header.Get("webhook-id"), stamp)
	mac.Write(rawBody)
	wanted := base64.StdEncoding.EncodeToString(mac.Sum(nil))
	for _, each := range strings.Fields(header.Get("webhook-signature")) {
		if _, given, _ := strings.Cut(each, ","); hmac.Equal([]byte(given), []byte(wanted)) {
			return true
		}
	}
	return false
}
`,
};
