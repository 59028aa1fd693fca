import { Injectable } from '@nestjs/common';
import {
  type Environment,
  InjectEnvironment,
  Keyring,
  sha256,
  SystemClock,
} from '../platform/index.js';
import {
  explainSignature,
  isRightFinding,
  type SignatureExplanation,
} from './explain-signature.js';
import { readApiKey, readApiSecret } from './key-format.js';
import { KEY_SECRET_PURPOSE } from './partner-key.js';
import type { SignedRequest } from './request-signature.js';
import { ApiKeysRepository } from './store/api-keys.repository.js';

const SECONDS_PER_MINUTE = 60;
const SECONDS_PER_HOUR = 3_600;

export function refusalHint(explanation: SignatureExplanation): string {
  const { finding, says, canonical, bodyBytes, bodySha256 } = explanation;
  const verdict =
    isRightFinding(finding) || finding === 'UNKNOWN' ? says : `the signature is wrong: ${says}`;
  const body = bodyBytes === 0 ? 'no body' : `the raw body of ${bodyBytes} bytes`;
  return [
    ...clockHint(explanation),
    verdict,
    `the server signed ${JSON.stringify(canonical)} followed by ${body} (SHA-256 ${bodySha256})`,
  ].join('; ');
}

export function unknownKeyHint(apiKey: string): string {
  return malformedKeyHint(apiKey) ?? 'this sandbox has no such API key';
}

function malformedKeyHint(apiKey: string): string | null {
  if (readApiSecret(apiKey)) {
    return 'this is an API secret: send the API key in x-api-key, and never send the secret';
  }
  const form = readApiKey(apiKey);
  if (!form) return 'this is not a complete API key: its checksum is wrong; copy it again';
  if (form.mode === 'live') return 'this is a live key: the sandbox accepts only test keys';
  return null;
}

function clockHint({ isInTime, secondsAhead }: SignatureExplanation): string[] {
  if (isInTime) return [];
  const off = offBy(secondsAhead);
  return [`the timestamp is more than 300 seconds off: it is ${off} the server time`];
}

/** For example `330 seconds ahead of`; not for 0. */
export function offBy(secondsAhead: number): string {
  return `${spelled(Math.abs(secondsAhead))} ${secondsAhead > 0 ? 'ahead of' : 'behind'}`;
}

function spelled(seconds: number): string {
  const hours = Math.floor(seconds / SECONDS_PER_HOUR);
  const minutes = Math.floor((seconds % SECONDS_PER_HOUR) / SECONDS_PER_MINUTE);
  const words = `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`;
  return hours === 0 ? words : `${words} (${hours} h ${minutes} min)`;
}

const NO_KEY_OF_YOURS =
  'this is not one of your API keys: the sandbox does not know it, or it belongs to another partner';
const OTHER_KEY_OF_YOURS =
  'this is another of your keys than the chosen one: sign with the secret issued with the key';

interface SignatureInQuestion {
  readonly partnerId: string;
  readonly keyId: string;
  readonly apiKey?: string;
  readonly request: SignedRequest;
  /** Hexadecimal; some callers send Base64. */
  readonly signature: string;
  /** With the port. */
  readonly host?: string;
  /** Unix time in seconds; default: now. */
  readonly arrivedAt?: number;
}

export interface ApiKeyVerdict {
  readonly isRight: boolean;
  readonly says: string;
}

/** Only for the key's owner, in the sandbox. */
@Injectable()
export class SignatureExplainer {
  constructor(
    private readonly apiKeys: ApiKeysRepository,
    private readonly keyring: Keyring,
    private readonly clock: SystemClock,
    @InjectEnvironment private readonly environment: Environment,
  ) {}

  /** @returns null in production, or when the partner has no such key */
  async explain(question: SignatureInQuestion): Promise<SignatureExplanation | null> {
    if (this.environment.mode !== 'sandbox') return null;
    const { partnerId, keyId, apiKey, request, signature, host, arrivedAt } = question;
    const kept = await this.apiKeys.secretsOf(partnerId, keyId);
    const secrets = new Map(
      kept.map(({ id, secretSealed }) => [
        id,
        this.keyring.openOrNull(secretSealed, KEY_SECRET_PURPOSE),
      ]),
    );
    const secret = secrets.get(keyId);
    if (!secret) return null;
    const others = [...secrets].flatMap(([id, other]) => (id === keyId || !other ? [] : [other]));
    const hosts = new Set([new URL(this.environment.baseUrl).host, ...(host ? [host] : [])]);
    return explainSignature({
      request,
      signature,
      secret,
      apiKey,
      otherSecrets: others,
      hosts: [...hosts],
      now: arrivedAt ?? this.clock.epochSeconds(),
    });
  }

  /** Another partner's key gets the response of an unknown key. */
  async judgeApiKey(partnerId: string, keyId: string, apiKey: string): Promise<ApiKeyVerdict> {
    const malformed = malformedKeyHint(apiKey);
    if (malformed) return { isRight: false, says: malformed };
    const key = await this.apiKeys.findByHash(sha256(apiKey));
    if (key?.partnerId !== partnerId) return { isRight: false, says: NO_KEY_OF_YOURS };
    if (key.status !== 'ACTIVE') {
      return { isRight: false, says: `this key is ${key.status.toLowerCase()}` };
    }
    if (key.id !== keyId) return { isRight: false, says: OTHER_KEY_OF_YOURS };
    return { isRight: true, says: 'this is the chosen key' };
  }
}
