import { Injectable, Module } from '@nestjs/common';
import { type KeptKeyFacts, KeyFactsModule, KeyFactsRepository } from '../../key-facts/index.js';
import { type KeptAnswer, LenderInbox, LenderRecordsModule } from '../../lenders/index.js';
import { type OperatorFlag, OperatorFlags } from '../../operator-flags/index.js';
import { Database, type Tx } from '../../platform/index.js';
import type { Journey, JourneyAuditRow } from '../store/journey.entity.js';
import { JourneyAudit } from '../store/journey-audit.js';
import { JourneysRepository } from '../store/journeys.repository.js';
import { OffersRepository } from '../store/offers.repository.js';
import type { Redirect, VerdictEvidence } from '../store/redirect.entity.js';
import { RedirectsRepository } from '../store/redirects.repository.js';

interface StepReport extends Pick<Redirect, 'step' | 'lenderCode' | 'attempt' | 'verdict'> {
  /** Null: never kept, or erased. */
  readonly evidence: VerdictEvidence | null;
}

export interface JourneyReport {
  readonly journey: Pick<
    Journey,
    | 'id'
    | 'applicationId'
    | 'partnerId'
    | 'productCode'
    | 'channel'
    | 'state'
    | 'outcomeReason'
    | 'payout'
    | 'disbursedAt'
  >;
  readonly lender: {
    readonly code: string;
    readonly offerReference: string;
    readonly applicationReference?: string;
    readonly statement: KeptKeyFacts | null;
  } | null;
  readonly steps: readonly StepReport[];
  /** Without the lender's own words, which may name the applicant. */
  readonly answers: readonly KeptAnswer[];
  readonly moves: readonly Pick<JourneyAuditRow, 'createdAt' | 'trigger' | 'toState'>[];
  readonly flags: readonly Pick<
    OperatorFlag,
    'createdAt' | 'lastSeenAt' | 'kind' | 'count' | 'detail' | 'resolvedAt'
  >[];
}

@Injectable()
export class JourneyReports {
  constructor(
    private readonly database: Database,
    private readonly journeys: JourneysRepository,
    private readonly offers: OffersRepository,
    private readonly redirects: RedirectsRepository,
    private readonly audit: JourneyAudit,
    private readonly statements: KeyFactsRepository,
    private readonly inbox: LenderInbox,
    private readonly flags: OperatorFlags,
  ) {}

  /** Of any partner. */
  async find(id: string): Promise<JourneyReport | null> {
    const journey = await this.journeys.findByLink(id);
    if (!journey) return null;
    const lender = await this.lenderOf(journey);
    return this.database.transaction(async (tx) => ({
      journey,
      lender,
      steps: await this.stepsOf(tx, journey),
      answers: await this.inbox.keptOf(tx, journey.partnerId, id),
      moves: await this.audit.list(tx, journey),
      flags: await this.flags.list(tx, id),
    }));
  }

  private async stepsOf(tx: Tx, journey: Journey): Promise<StepReport[]> {
    const redirects = await this.redirects.list(tx, journey);
    return redirects.map((redirect) => {
      const { step, lenderCode, attempt, verdict } = redirect;
      const evidence = this.redirects.evidenceOf(redirect);
      return { step, lenderCode, attempt, verdict, evidence };
    });
  }

  private async lenderOf({
    selectedOfferId,
    selection,
  }: Journey): Promise<JourneyReport['lender']> {
    const offer = selectedOfferId === null ? null : await this.offers.findByLink(selectedOfferId);
    if (!offer) return null;
    const kept = await this.statements.kept(offer.id);
    return {
      code: offer.lenderCode,
      offerReference: offer.lenderReference,
      applicationReference: selection?.applicationReference,
      statement: kept,
    };
  }
}

@Module({
  imports: [KeyFactsModule, LenderRecordsModule],
  providers: [
    JourneyReports,
    JourneysRepository,
    OffersRepository,
    RedirectsRepository,
    JourneyAudit,
  ],
})
export class JourneyReportsModule {}
