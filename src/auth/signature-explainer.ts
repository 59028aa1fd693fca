import { Inject, Injectable } from '@nestjs/common';
import {
  Clock,
  ENVIRONMENT,
  type Environment,
  Keyring,
  nullWhenUnreadable,
} from '../platform/index.js';
import { explainSignature, type SignatureExplanation } from './explain-signature.js';
import { KEY_SECRET_PURPOSE } from './partner-key.js';
import type { SignedRequest } from './request-signature.js';
import { ApiKeysRepository } from './store/api-keys.repository.js';

/** A request and its signature as somebody made them: the server's view of it, or what a form was given. */
export interface SignatureInQuestion {
  readonly partnerId: string;
  readonly keyId: string;
  /** As the caller sent it, where it is known. */
  readonly apiKey?: string;
  readonly request: SignedRequest;
  /** Hexadecimal, or by mistake Base64. */
  readonly signature: string;
  /** The host that was called, with its port, where it is known. */
  readonly host?: string;
}

/** Explains signatures to the partner whose key they name; in a sandbox alone. */
@Injectable()
export class SignatureExplainer {
  constructor(
    private readonly apiKeys: ApiKeysRepository,
    private readonly keyring: Keyring,
    private readonly clock: Clock,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  /** @returns null in production, and when the partner has no such key */
  async explain(question: SignatureInQuestion): Promise<SignatureExplanation | null> {
    if (this.environment.mode !== 'sandbox') return null;
    const { partnerId, keyId, apiKey, request, signature, host } = question;
    const kept = await this.apiKeys.secretsOf(partnerId, keyId);
    const secrets = new Map(kept.map(({ id, secretSealed }) => [id, this.open(secretSealed)]));
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
      now: this.clock.epochSeconds(),
    });
  }

  /** One that was sealed under a master key that is gone says nothing. */
  private open(sealed: string): string | null {
    try {
      return this.keyring.open(sealed, KEY_SECRET_PURPOSE);
    } catch (error) {
      return nullWhenUnreadable(error);
    }
  }
}
