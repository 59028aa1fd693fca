import { Injectable } from '@nestjs/common';
import type { PartnerKey } from '../../auth/index.js';
import {
  type AttestedConsent,
  ConsentLog,
  type PartnerConsent,
  type SignedRequest,
} from '../../consents/index.js';
import { rupeesToPaise } from '../../loans/index.js';
import { LeadWriter } from '../../leads/index.js';
import {
  Batcher,
  Clock,
  Database,
  Fault,
  fewAtATime,
  Idempotency,
  type IdempotencyKey,
  type IdempotentResult,
  IdGenerator,
  isConnectionLost,
  RandomSource,
  sha256,
  type Tx,
} from '../../platform/index.js';
import type { ApplicantFile } from '../domain/applicant-details.js';
import type { Channel } from '../domain/journey.js';
import { ApplicantFiles } from '../progress/applicant-file.js';
import type { Journey } from '../store/journey.entity.js';
import { JourneyMover } from '../progress/journey-mover.js';
import { JourneysRepository, type NewJourney } from '../store/journeys.repository.js';
import { OfferRequests } from '../offers/offer-requests.js';
import { type NextAction, nextActionOf } from '../domain/next-action.js';
import { START } from '../domain/transition-table.js';
import { HostedLinks } from '../access/hosted-links.js';
import { type Product, ServiceSettings } from '../../settings/index.js';

export interface InitiateRequest extends Pick<ApplicantFile, 'applicant' | 'gold'> {
  readonly channel: Channel;
  /** A catalogue code. */
  readonly productCode: string;
  /** In rupees; absent: the product's default. */
  readonly loanAmount?: number;
  readonly consent: PartnerConsent;
}

export interface JourneyStart {
  readonly key: PartnerKey;
  readonly product: Product;
  readonly request: InitiateRequest;
  readonly idempotencyKey: IdempotencyKey | null;
  readonly cameBy: SignedRequest;
}

interface Draft {
  readonly journey: NewJourney;
  readonly session: string | null;
}

/** Stored for replays. */
interface Started {
  readonly journeyId: string;
  readonly applicationId: string;
  readonly nextAction: NextAction;
  readonly hostedUrl?: string;
  readonly journeySession?: string;
}

type StartResult = IdempotentResult<Started>;

/** The operation of its Idempotency-Keys. */
export const INITIATE_OPERATION = 'journey/initiate';

const MAX_STARTS_PER_BATCH = 64;
const MAX_BATCHES_IN_FLIGHT = 2;
/** Parallel transactions after a batch has failed. */
const MAX_ALONE = 4;

/**
 * Writes new journeys. Simultaneous requests share a transaction: a commit each would miss the floor of
 * initiate (decision 26). When a batch fails, each start gets its own transaction.
 */
@Injectable()
export class JourneyStarts {
  private readonly batches: Batcher<JourneyStart, StartResult | Error>;

  constructor(
    private readonly database: Database,
    private readonly journeys: JourneysRepository,
    private readonly applicants: ApplicantFiles,
    private readonly leads: LeadWriter,
    private readonly consents: ConsentLog,
    private readonly offerRequests: OfferRequests,
    private readonly hostedLinks: HostedLinks,
    private readonly mover: JourneyMover,
    private readonly idempotency: Idempotency,
    private readonly settings: ServiceSettings,
    private readonly ids: IdGenerator,
    private readonly random: RandomSource,
    private readonly clock: Clock,
  ) {
    this.batches = new Batcher({
      run: (starts) => this.startAll(starts),
      maxItems: MAX_STARTS_PER_BATCH,
      maxInFlight: MAX_BATCHES_IN_FLIGHT,
    });
  }

  async start(start: JourneyStart): Promise<StartResult> {
    const result = await this.batches.add(start);
    if (result instanceof Error) throw result;
    return result;
  }

  private async startAll(starts: readonly JourneyStart[]): Promise<(StartResult | Error)[]> {
    try {
      return await this.startTogether(starts);
    } catch (error) {
      // After a lost connection the commit is unknown: no second try.
      if (starts.length === 1 || isConnectionLost(error)) throw error;
      return this.startApart(starts);
    }
  }

  /** Each in its own transaction; starts with the same Idempotency-Key stay together. */
  private async startApart(starts: readonly JourneyStart[]): Promise<(StartResult | Error)[]> {
    const groups = Map.groupBy(starts.keys(), (index) => sameStart(starts[index]) ?? index);
    const results: (StartResult | Error)[] = [];
    await fewAtATime([...groups.values()], MAX_ALONE, async (indexes) => {
      const group = await this.startGroup(indexes.map((index) => starts[index]));
      indexes.forEach((startIndex, index) => (results[startIndex] = group[index]));
    });
    return results;
  }

  private async startGroup(starts: readonly JourneyStart[]): Promise<(StartResult | Error)[]> {
    try {
      return await this.startTogether(starts);
    } catch (error) {
      const failure = error instanceof Error ? error : new Error(String(error));
      return starts.map(() => failure);
    }
  }

  private startTogether(starts: readonly JourneyStart[]): Promise<(StartResult | Fault)[]> {
    const calls = starts.map(({ key, idempotencyKey }) => ({
      partnerId: key.partnerId,
      operation: INITIATE_OPERATION,
      idempotencyKey,
    }));
    return this.database.plannedTransaction((tx) =>
      this.idempotency.onceEach(tx, calls, (indexes) =>
        this.write(
          tx,
          indexes.map((index) => starts[index]),
        ),
      ),
    );
  }

  private async write(tx: Tx, starts: readonly JourneyStart[]): Promise<Started[]> {
    const drafts = await Promise.all(starts.map((start) => this.draft(start)));
    await this.leads.openAll(
      tx,
      drafts.map(({ journey }) => this.leadOf(journey)),
    );
    const journeys = await this.journeys.insertAll(
      tx,
      drafts.map(({ journey }) => journey),
    );
    await this.mover.begin(tx, journeys);
    const consents = await this.attest(tx, journeys, starts);
    const links = await this.begin(tx, journeys, consents);
    return journeys.map((journey, index) => ({
      journeyId: journey.id,
      applicationId: journey.applicationId,
      nextAction: nextActionOf(journey),
      ...entranceOf(drafts[index].session, links.get(journey.id)),
    }));
  }

  private async attest(
    tx: Tx,
    journeys: readonly Journey[],
    starts: readonly JourneyStart[],
  ): Promise<ReadonlyMap<string, AttestedConsent>> {
    const attested = await this.consents.attestAll(
      tx,
      journeys.map((journey, index) => ({
        partnerId: journey.partnerId,
        subjectId: journey.id,
        productCode: journey.productCode,
        consent: starts[index].request.consent,
        isForLenders: journey.channel === 'API_HEADLESS',
        cameAt: journey.createdAt,
        cameBy: starts[index].cameBy,
      })),
    );
    return new Map(journeys.map(({ id }, index) => [id, attested[index]]));
  }

  /**
   * Questions to the lenders, or a link for the applicant: no lender learns of a hosted journey before the
   * consent.
   */
  private async begin(
    tx: Tx,
    journeys: readonly Journey[],
    consents: ReadonlyMap<string, AttestedConsent>,
  ): Promise<Map<string, string>> {
    const headless = journeys.filter(({ channel }) => channel === 'API_HEADLESS');
    const hosted = journeys.filter(({ channel }) => channel === 'API_HOSTED');
    if (headless.length > 0) await this.offerRequests.askOfNew(tx, headless, consents);
    if (hosted.length === 0) return new Map();
    const links = await this.hostedLinks.issueAll(tx, hosted);
    return new Map(hosted.map(({ id }, index) => [id, links[index]]));
  }

  private async draft({ key, product, request }: JourneyStart): Promise<Draft> {
    const { applicant, gold, channel } = request;
    const isHeadless = channel === 'API_HEADLESS';
    const session = isHeadless ? this.random.token() : null;
    const id = this.ids.next('jrn');
    const { lenderDeadlineSeconds, lenderGiveUpSeconds } = await this.settings.operating();
    return {
      session,
      journey: {
        id,
        partnerId: key.partnerId,
        keyId: key.id,
        applicationId: this.ids.next('app'),
        productCode: product.code,
        channel,
        state: START.to,
        steps: product.steps,
        ...amountOf(request, product),
        sessionHash: session === null ? null : sha256(session),
        eventSequence: 1,
        ...this.applicants.seal(id, { applicant, ...(gold && { gold }) }),
        ...(isHeadless && {
          offersDueIn: lenderDeadlineSeconds,
          offersGivenUpIn: lenderGiveUpSeconds,
        }),
      },
    };
  }

  private leadOf(journey: NewJourney) {
    return {
      id: journey.applicationId,
      partnerId: journey.partnerId,
      loanType: journey.productCode,
      loanAmount: journey.loanAmount,
      loanAmountSource: journey.loanAmountSource,
      status: journey.state,
      journeyId: journey.id,
      submittedAt: this.clock.now(),
    };
  }
}

function amountOf({ loanAmount }: InitiateRequest, { defaultAmount }: Product) {
  return loanAmount === undefined
    ? ({ loanAmount: defaultAmount, loanAmountSource: 'DEFAULT' } as const)
    : ({ loanAmount: rupeesToPaise(loanAmount), loanAmountSource: 'PARTNER' } as const);
}

function entranceOf(journeySession: string | null, hostedUrl: string | undefined) {
  return journeySession === null ? { hostedUrl } : { journeySession };
}

/** Null without an Idempotency-Key. */
function sameStart({ key, idempotencyKey }: JourneyStart): string | null {
  return idempotencyKey && `${key.partnerId}\n${idempotencyKey.key}`;
}
