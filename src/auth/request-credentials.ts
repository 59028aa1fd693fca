import type { IncomingMessage } from 'node:http';
import { Fault, fromRequest } from '../platform/index.js';
import type { PartnerRequest } from './partner-key.js';

type Headers = IncomingMessage['headersDistinct'];

/** Well-formed, not verified. */
export interface RequestCredentials {
  readonly apiKey: string;
  /** Unix time in seconds, exactly as sent: the signature covers the text. */
  readonly timestamp: string;
  readonly nonce: string;
  /** 32 bytes. */
  readonly signature: Buffer;
}

export const TIMESTAMP = /^\d{1,12}$/;
export const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;
const SIGNATURE = /^[0-9a-f]{64}$/i;
const BEARER = /^Bearer +(\S+)$/i;

/** @throws Fault malformed_credentials for a header that is missing, malformed or sent twice */
export function readCredentials(headers: Headers): RequestCredentials {
  return {
    apiKey: readApiKeyHeader(headers),
    timestamp: readHeader(headers, 'x-timestamp', TIMESTAMP, 'Unix time in seconds'),
    nonce: readHeader(headers, 'x-nonce', UUID_V4, 'a UUID v4'),
    signature: Buffer.from(
      readHeader(headers, 'x-signature', SIGNATURE, '64 hexadecimal characters'),
      'hex',
    ),
  };
}

function readApiKeyHeader(headers: Headers): string {
  const plain = single(headers, 'x-api-key');
  const authorization = single(headers, 'authorization');
  const bearer = authorization === undefined ? undefined : BEARER.exec(authorization)?.[1];
  if (authorization !== undefined && bearer === undefined) {
    throw malformed('The Authorization header must be Bearer <API key>');
  }
  if (plain !== undefined && bearer !== undefined && plain !== bearer) {
    throw malformed('The x-api-key and Authorization headers name different keys');
  }
  const apiKey = plain ?? bearer;
  if (!apiKey) throw malformed('The x-api-key header is missing');
  return apiKey;
}

function readHeader(headers: Headers, name: string, form: RegExp, description: string): string {
  const value = single(headers, name);
  if (!value) throw malformed(`The ${name} header is missing`);
  if (!form.test(value)) throw malformed(`The ${name} header must be ${description}`);
  return value;
}

function single(headers: Headers, name: string): string | undefined {
  const [value, ...more] = headers[name] ?? [];
  if (more.length > 0) throw malformed(`The ${name} header was sent more than once`);
  return value;
}

function malformed(message: string): Fault {
  return new Fault('malformed_credentials', { message });
}

export const CurrentKey = fromRequest(({ partnerKey }: PartnerRequest) => partnerKey);

export const CurrentPartner = fromRequest(({ partnerKey }: PartnerRequest) => {
  const { partnerId, id } = partnerKey;
  return { partnerId, keyId: id };
});

export const CurrentRequest = fromRequest(({ partnerKey, headersDistinct }: PartnerRequest) => {
  const { nonce } = readCredentials(headersDistinct);
  return { keyId: partnerKey.id, nonce: nonce.toLowerCase() };
});

export interface PartnerIdentity {
  readonly partnerId: string;
  readonly keyId: string;
}
