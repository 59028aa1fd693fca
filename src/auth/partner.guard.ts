import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Response } from 'express';
import {
  AddressLimiter,
  Batcher,
  type Environment,
  Fault,
  InjectEnvironment,
  RequestBodies,
  SystemClock,
} from '../platform/index.js';
import { KeyDirectory } from './key-directory.js';
import type { ClaimedRequest, PartnerKey, PartnerRequest } from './partner-key.js';
import { refusalHint, SignatureExplainer, unknownKeyHint } from './signature-explainer.js';
import { readCredentials, type RequestCredentials } from './request-credentials.js';
import {
  isSignatureRight,
  type SignedRequest,
  TIMESTAMP_TOLERANCE_SECONDS,
} from './request-signature.js';
import {
  type AdmissionResult,
  AdmissionsRepository,
  type Arrival,
} from './store/admissions.repository.js';

const MAX_REQUESTS_PER_BATCH = 128;
const MAX_BATCHES_IN_FLIGHT = 2;

/**
 * Uses a nonce and counts the request in both windows, exactly across replicas. Waiting requests share one round trip.
 */
@Injectable()
export class Admission {
  private readonly batcher: Batcher<Arrival, AdmissionResult>;

  constructor(admissions: AdmissionsRepository) {
    this.batcher = new Batcher({
      run: (arrivals) => admissions.admit(arrivals),
      maxItems: MAX_REQUESTS_PER_BATCH,
      maxInFlight: MAX_BATCHES_IN_FLIGHT,
    });
  }

  admit(key: PartnerKey, nonce: string): Promise<AdmissionResult> {
    return this.batcher.add({ keyId: key.id, version: key.version, nonce: nonce.toLowerCase() });
  }
}

/**
 * Order: form of the headers, before the body is read; key, timestamp and signature; status; nonce. The second step has
 * one answer, so callers cannot probe it.
 */
@Injectable()
export class PartnerGuard implements CanActivate {
  constructor(
    private readonly keys: KeyDirectory,
    private readonly admission: Admission,
    private readonly addresses: AddressLimiter,
    private readonly bodies: RequestBodies,
    private readonly clock: SystemClock,
    private readonly explainer: SignatureExplainer,
    @InjectEnvironment private readonly environment: Environment,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<PartnerRequest & ClaimedRequest>();
    const credentials = readCredentials(request.headersDistinct);
    await this.bodies.read(request, http.getResponse<Response>());
    let key = this.keys.recall(credentials.apiKey);
    let admission = key && (await this.admitOptimistically(request, credentials, key));
    if (!key || !admission || admission.outcome === 'STALE') {
      // The cached key is outdated or inactive.
      key = await this.identify(request, credentials, await this.keys.read(credentials.apiKey));
      assertActive(key);
      this.keys.keep(credentials.apiKey, key);
      admission = await this.admission.admit(key, credentials.nonce);
    }
    request.claimedKey = key;
    if (admission.outcome === 'STALE')
      throw new Fault('service_unavailable', { retryAfterSeconds: 1 });
    if (admission.outcome === 'REPLAYED') throw new Fault('nonce_reused');
    this.addresses.markKnownCaller(request);
    this.bodies.release(request);
    request.partnerKey = key;
    request.admission = admission;
    return true;
  }

  private async identify(
    request: ClaimedRequest,
    credentials: RequestCredentials,
    key: PartnerKey | null,
  ): Promise<PartnerKey> {
    if (key) {
      request.claimedKey = key;
      const signed = signedPartsOf(request, credentials);
      const isRight = isSignatureRight(key.secret, signed, credentials.signature);
      if (isRight && this.isFresh(credentials)) return key;
    }
    throw new Fault('invalid_signature', { hint: await this.hint(request, credentials, key) });
  }

  /** For a known key in the sandbox only; contains no secret. */
  private async hint(
    request: ClaimedRequest,
    credentials: RequestCredentials,
    key: PartnerKey | null,
  ): Promise<string | undefined> {
    if (this.environment.mode !== 'sandbox') return undefined;
    // A hint costs ten times as much CPU as a refusal.
    if (this.addresses.isRefused(request)) return undefined;
    if (!key) return unknownKeyHint(credentials.apiKey);
    const signed = signedPartsOf(request, credentials);
    const explanation = await this.explainer.explain({
      partnerId: key.partnerId,
      keyId: key.id,
      apiKey: credentials.apiKey,
      request: signed,
      signature: credentials.signature.toString('hex'),
      host: request.headers.host,
    });
    if (!explanation) return undefined;
    const { body: _, ...head } = signed;
    const { finding, secondsAhead, bodyBytes, bodySha256 } = explanation;
    request.refusedSignature = { ...head, finding, secondsAhead, bodyBytes, bodySha256 };
    return refusalHint(explanation);
  }

  private isFresh({ timestamp }: RequestCredentials): boolean {
    return Math.abs(this.clock.epochSeconds() - Number(timestamp)) <= TIMESTAMP_TOLERANCE_SECONDS;
  }

  /** Null when the cached key would be refused: it may be outdated. */
  private async admitOptimistically(
    request: ClaimedRequest,
    credentials: RequestCredentials,
    key: PartnerKey,
  ): Promise<AdmissionResult | null> {
    const isActive = key.status === 'ACTIVE' && key.partnerStatus === 'ACTIVE';
    if (!isActive || !this.isFresh(credentials)) return null;
    const signed = signedPartsOf(request, credentials);
    if (!isSignatureRight(key.secret, signed, credentials.signature)) return null;
    return this.admission.admit(key, credentials.nonce);
  }
}

function signedPartsOf(request: ClaimedRequest, credentials: RequestCredentials): SignedRequest {
  return {
    method: request.method,
    target: request.originalUrl,
    timestamp: credentials.timestamp,
    nonce: credentials.nonce,
    body: request.rawBody,
  };
}

function assertActive(key: PartnerKey): void {
  if (key.status === 'REVOKED') throw new Fault('key_revoked');
  if (key.status === 'SUSPENDED') throw new Fault('key_suspended');
  if (key.partnerStatus === 'SUSPENDED') throw new Fault('partner_suspended');
}
