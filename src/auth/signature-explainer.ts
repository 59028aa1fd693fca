import { Inject, Injectable } from '@nestjs/common';
import { ENVIRONMENT, type Environment, Keyring, sha256, SystemClock } from '../platform/index.js';
import { explainSignature, type SignatureExplanation } from './explain-signature.js';
import { KEY_SECRET_PURPOSE } from './partner-key.js';
import { malformedKeyHint } from './refusal-hint.js';
import type { SignedRequest } from './request-signature.js';
import { ApiKeysRepository } from './store/api-keys.repository.js';

const NO_KEY_OF_YOURS =
  'this is no API key of yours: this sandbox does not know it, or it is another partner’s';
const OTHER_KEY_OF_YOURS =
  'this is another key of yours than the one chosen: each signs with the secret that came with it';

/** A request and its signature, as received or as entered in a form. */
export interface SignatureInQuestion {
  readonly partnerId: string;
  readonly keyId: string;
  readonly apiKey?: string;
  readonly request: SignedRequest;
  /** Hexadecimal, or by mistake Base64. */
  readonly signature: string;
  /** With its port. */
  readonly host?: string;
  /** Unix time in seconds; now when left out. */
  readonly arrivedAt?: number;
}

export interface ApiKeyVerdict {
  readonly isRight: boolean;
  readonly says: string;
}

/** Explains signatures to the owner of the key, in a sandbox only. */
@Injectable()
export class SignatureExplainer {
  constructor(
    private readonly apiKeys: ApiKeysRepository,
    private readonly keyring: Keyring,
    private readonly clock: SystemClock,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  /** @returns null in production, and when the partner has no such key */
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

  /** Judges a pasted API key. Another partner's key is answered like an unknown one. */
  async judgeApiKey(partnerId: string, keyId: string, apiKey: string): Promise<ApiKeyVerdict> {
    const malformed = malformedKeyHint(apiKey);
    if (malformed) return { isRight: false, says: malformed };
    const key = await this.apiKeys.findByHash(sha256(apiKey));
    if (key?.partnerId !== partnerId) return { isRight: false, says: NO_KEY_OF_YOURS };
    if (key.status !== 'ACTIVE') {
      return { isRight: false, says: `this key of yours is ${key.status.toLowerCase()}` };
    }
    if (key.id !== keyId) return { isRight: false, says: OTHER_KEY_OF_YOURS };
    return { isRight: true, says: 'this is the key that is chosen' };
  }
}
