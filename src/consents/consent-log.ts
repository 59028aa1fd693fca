import { Injectable, Module } from '@nestjs/common';
import {
  Clock,
  IdGenerator,
  type Language,
  sha256,
  type Tx,
  validationFault,
} from '../platform/index.js';
import { LenderCatalogue, ServiceSettings } from '../settings/index.js';
import {
  callsVersion,
  type ConsentText,
  consentText,
  consentValues,
  plainConsent,
} from './consent-texts.js';
import type { ConsentBasis, PartnerConsent } from './partner-consent.js';
import { ConsentLogRepository, type NewConsentLogEntry } from './store/consent-log.repository.js';

interface PartnerAttestation {
  readonly partnerId: string;
  /** Id of a journey or an instant loan. */
  readonly subjectId: string;
  readonly productCode: string;
  readonly consent: PartnerConsent;
  /** Whether lenders are asked on this consent. On hosted pages the applicant consents. */
  readonly isForLenders: boolean;
  /** Used unless the partner states a time. */
  readonly cameAt: Date;
  readonly cameBy: SignedRequest;
}

interface AllowedCalls {
  readonly partnerId: string;
  readonly journeyId: string;
  readonly text: ConsentText;
  /** The chosen one of these may call. */
  readonly lenderCodes: readonly string[];
  readonly sessionId: string | null;
}

/** The nonce is unique per key. */
export interface SignedRequest {
  readonly keyId: string;
  readonly nonce: string;
}

export interface AttestedConsent {
  /** Sent to lenders; the time in ISO 8601. */
  readonly forLenders: {
    readonly givenBy: 'PARTNER';
    readonly basis: ConsentBasis;
    readonly givenAt: string;
    readonly textVersion?: string;
    readonly language?: Language;
  };
  /** Null when unknown. */
  readonly namedLenders: readonly string[] | null;
}

/** A trigger adds the consents of hosted pages. */
@Injectable()
export class ConsentLog {
  constructor(
    private readonly entries: ConsentLogRepository,
    private readonly lenders: LenderCatalogue,
    private readonly settings: ServiceSettings,
    private readonly ids: IdGenerator,
    private readonly clock: Clock,
  ) {}

  /** In the order of the attestations. */
  async attestAll(tx: Tx, attestations: readonly PartnerAttestation[]): Promise<AttestedConsent[]> {
    const entries: NewConsentLogEntry[] = [];
    for (const attestation of attestations) entries.push(await this.entryOf(attestation));
    await this.entries.insertAll(tx, entries);
    return entries.map(attestedBy);
  }

  async attested(tx: Tx, partnerId: string, subjectId: string): Promise<AttestedConsent | null> {
    const entry = await this.entries.ofPartner(tx, { partnerId, subjectId });
    return entry && attestedBy(entry);
  }

  /** The consent to phone calls has its own text. */
  async allowCalls(tx: Tx, { partnerId, journeyId, text, ...given }: AllowedCalls): Promise<void> {
    const { version, language, calls } = text;
    const entry: NewConsentLogEntry = {
      id: this.ids.next('cns'),
      partnerId,
      subjectId: journeyId,
      way: 'HOSTED',
      basis: 'TEXT',
      textVersion: callsVersion(version),
      language,
      shownText: calls,
      textHash: sha256(calls),
      lenderCodes: given.lenderCodes,
      givenAt: this.clock.now(),
      cameBy: given.sessionId,
    };
    await this.entries.insertAll(tx, [entry]);
  }

  async mayCall(
    tx: Tx,
    journey: { readonly partnerId: string; readonly id: string },
    textVersion: string,
  ): Promise<boolean> {
    const { partnerId, id: subjectId } = journey;
    return this.entries.has(tx, { partnerId, subjectId, textVersion: callsVersion(textVersion) });
  }

  /** @throws Fault validation_failed for an unknown lender code */
  async refuseUnknownLenders({ namedLenders = [] }: PartnerConsent): Promise<void> {
    const known = new Set((await this.lenders.list()).map(({ code }) => code));
    const unknown = namedLenders.filter((code) => !known.has(code));
    if (unknown.length === 0) return;
    const message = 'must be codes of lenders from GET /products';
    throw validationFault([{ field: 'consent.lenderCodes', message }]);
  }

  private async entryOf(attestation: PartnerAttestation): Promise<NewConsentLogEntry> {
    const { partnerId, subjectId, consent, cameAt, cameBy } = attestation;
    const { basis, shown } = consent;
    return {
      id: this.ids.next('cns'),
      partnerId,
      subjectId,
      way: 'PARTNER',
      basis,
      textVersion: shown?.textVersion ?? null,
      language: shown?.language ?? null,
      ...(await this.textOf(consent)),
      lenderCodes: consent.namedLenders ?? (await this.lendersAsked(attestation)),
      givenAt: shown?.givenAt ?? cameAt,
      cameBy: `${cameBy.keyId}/${cameBy.nonce}`,
    };
  }

  /** Without a text, all lenders of the product may be asked. */
  private async lendersAsked({ productCode, isForLenders }: PartnerAttestation): Promise<string[]> {
    if (!isForLenders) return [];
    return (await this.lenders.serving(productCode)).map(({ code }) => code);
  }

  /** Rebuilds the text that the partner showed: the service did not see the partner's page. */
  private async textOf(consent: PartnerConsent) {
    if (consent.basis !== 'TEXT') return { shownText: null, textHash: null };
    const { shown, namedLenders } = consent;
    const lenders = await Promise.all(namedLenders.map((code) => this.lenders.find(code)));
    const known = lenders.filter((lender) => lender !== null);
    const values = consentValues('PARTNER', await this.settings.brand(), known);
    const shownText = plainConsent(consentText(shown.language, values, shown.textVersion));
    return { shownText, textHash: sha256(shownText) };
  }
}

function attestedBy(
  entry: Pick<NewConsentLogEntry, 'basis' | 'textVersion' | 'language' | 'givenAt' | 'lenderCodes'>,
): AttestedConsent {
  const { basis, textVersion, language, givenAt, lenderCodes } = entry;
  return {
    forLenders: {
      givenBy: 'PARTNER',
      basis,
      givenAt: givenAt.toISOString(),
      // A lender that gets a text version assumes that the text names it.
      ...(basis === 'TEXT' &&
        textVersion !== null &&
        language !== null && { textVersion, language }),
    },
    namedLenders: basis === 'TEXT' ? lenderCodes : null,
  };
}

@Module({
  providers: [ConsentLog, ConsentLogRepository],
  exports: [ConsentLog],
})
export class ConsentsModule {}
