import { createHmac } from 'node:crypto';
import type { SigningKey } from './detached-jws.ts';
import { nowInSeconds } from './lender-client.ts';

interface Forged {
  readonly key: SigningKey;
  readonly url: string;
  readonly body: Buffer;
  readonly jti: string;
}

function header({ key, url, jti }: Forged, alg: string): string {
  const claims = { iat: nowInSeconds(), jti, htm: 'POST', htu: url };
  const whole = { alg, kid: key.kid, b64: false, crit: ['b64'], ...claims };
  return Buffer.from(JSON.stringify(whole)).toString('base64url');
}

/** An HMAC with the public key as secret: a receiver that trusts `alg` accepts it. */
export function hmacWithPublicKey(forged: Forged): string {
  const head = header(forged, 'HS256');
  const secret = Buffer.from(forged.key.publicJwk.x ?? '', 'base64url');
  const mac = createHmac('sha256', secret).update(`${head}.`).update(forged.body);
  return `${head}..${mac.digest('base64url')}`;
}

export function algNone(forged: Forged): string {
  return `${header(forged, 'none')}..`;
}
