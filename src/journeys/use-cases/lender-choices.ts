import { Injectable } from '@nestjs/common';
import type { KeyFactsDraft } from '../../key-facts/index.js';
import {
  type GoneReason,
  LenderGateway,
  LenderReferences,
  type SelectionVerdict,
} from '../../lenders/index.js';
import type { OfferOrder } from '../../matching/index.js';
import type { Language, Tx } from '../../platform/index.js';
import { ApplicantFiles } from '../progress/applicant-file.js';
import type { QuotedLoan, Selection } from '../domain/journey.js';
import { type Intent, IntentsRepository } from '../store/intents.repository.js';
import type { Journey } from '../store/journey.entity.js';
import type { Offer } from '../store/offer.entity.js';
import { OutcomeUnknown } from './action-handler.js';

export interface Choice {
  readonly offer: Offer;
  readonly quoted: QuotedLoan;
  readonly draft: KeyFactsDraft;
  readonly language?: Language;
  readonly order?: OfferOrder;
}

interface TakenChoice {
  readonly selection: Selection;
  /** A compact JWS over the statement's hash, if the lender signs. */
  readonly keyFactsSignature?: string;
}

/** Never call it inside a transaction. */
@Injectable()
export class LenderChoices {
  constructor(
    private readonly gateway: LenderGateway,
    private readonly applicants: ApplicantFiles,
    private readonly references: LenderReferences,
    private readonly intents: IntentsRepository,
  ) {}

  /** Must precede the call to the lender. */
  keep(intent: Intent, sentChoice: Omit<Choice, 'offer'>): Promise<void> {
    return this.intents.keepSentChoice(intent, sentChoice);
  }

  /**
   * @returns the selection, or the lender's reason for refusing
   * @throws OutcomeUnknown when the lender may have accepted
   */
  async put(
    journey: Journey,
    { offer, quoted, draft, language }: Choice,
    intent: Intent,
  ): Promise<TakenChoice | { readonly reason: GoneReason }> {
    const keyFactsHash = draft.contentHash;
    const acknowledgedAt = intent.createdAt.toISOString();
    const acknowledgement = language && { keyFactsHash, acknowledgedAt, language };
    const verdict = await unknownUnlessAnswered(
      this.gateway.select({
        idempotencyKey: intent.id,
        sent: intent.sent,
        lenderCode: offer.lenderCode,
        subjectId: journey.id,
        offerReference: offer.lenderReference,
        loanAmount: quoted.loanAmount,
        keyFactsHash,
        payload: this.applicants.payload(journey, {
          offerReference: offer.lenderReference,
          usefulUntil: offer.validUntil.toISOString(),
          keyFactsHash,
          ...(acknowledgement && { acknowledgement }),
        }),
      }),
    );
    if (verdict.kind === 'GONE') return { reason: verdict.reason };
    const { applicationReference, keyFactsSignature } = verdict;
    return { selection: { ...quoted, applicationReference }, keyFactsSignature };
  }

  async noteReference(tx: Tx, journey: Journey, { lenderCode }: Offer): Promise<void> {
    const { id: subjectId, applicationId, partnerId, selection } = journey;
    if (!selection?.applicationReference) throw new Error(`journey ${subjectId} has no choice`);
    await this.references.note(tx, {
      lenderCode,
      kind: 'APPLICATION',
      reference: selection.applicationReference,
      isPayoutReported: true,
      partnerId,
      subjectId,
      applicationId,
    });
  }
}

async function unknownUnlessAnswered(
  question: Promise<SelectionVerdict>,
): Promise<SelectionVerdict> {
  try {
    return await question;
  } catch (error) {
    // The intent says that the lender is notified, so after any error the outcome is unknown.
    throw new OutcomeUnknown({ cause: error });
  }
}
