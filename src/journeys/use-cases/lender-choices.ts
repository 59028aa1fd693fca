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
import { ApplicantFiles } from '../domain/applicant-file.js';
import type { QuotedLoan, Selection } from '../domain/journey.js';
import type { Intent } from '../store/intents.repository.js';
import type { Journey } from '../store/journey.entity.js';
import type { Offer } from '../store/offer.entity.js';
import { OutcomeUnknown } from './action-handler.js';

/** An offer that is to be chosen, and the statement that stands for the choice. */
export interface Choice {
  readonly offer: Offer;
  readonly quoted: QuotedLoan;
  readonly draft: KeyFactsDraft;
  /** The language that the applicant has read the statement in, where they did on our page. */
  readonly language?: Language;
  /** The order of the offers on our page that it was chosen from. */
  readonly order?: OfferOrder;
}

/** A choice that its lender has taken. */
export interface TakenChoice {
  readonly selection: Selection;
  /** The lender's compact JWS over the statement's hash, if it signs. */
  readonly keyFactsSignature?: string;
}

/** Tells lenders that their offer was chosen; never called inside a transaction. */
@Injectable()
export class LenderChoices {
  constructor(
    private readonly gateway: LenderGateway,
    private readonly applicants: ApplicantFiles,
    private readonly references: LenderReferences,
  ) {}

  /**
   * Puts the choice to the offer's lender, under the intent's id.
   * @returns the selection with what the lender says of it, or why it does not take the choice
   * @throws OutcomeUnknown when the lender may have taken it
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
    return {
      selection: { ...quoted, applicationReference },
      ...(keyFactsSignature !== undefined && { keyFactsSignature }),
    };
  }

  /** Notes what the lender calls the application: by that it may speak of it. */
  async noteReference(tx: Tx, journey: Journey, { lenderCode }: Offer): Promise<void> {
    const { id: subjectId, applicationId, partnerId, selection } = journey;
    if (!selection) throw new Error(`journey ${subjectId} has no choice`);
    await this.references.note(tx, {
      lenderCode,
      kind: 'APPLICATION',
      reference: selection.applicationReference,
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
    // Whatever went wrong: it is on record that the lender was to be told, and nobody knows whether it was.
    throw new OutcomeUnknown({ cause: error });
  }
}
