import { Injectable } from '@nestjs/common';
import type { PartnerKey } from '../../auth/index.js';
import type { PartnerConsent, SignedRequest } from '../../consents/index.js';
import type { PartnerReference } from '../../leads/index.js';
import { rupeesToPaise } from '../../loans/index.js';
import {
  Batcher,
  Database,
  Fault,
  fewAtATime,
  Idempotency,
  type IdempotencyKey,
  type IdempotentResult,
  isConnectionLost,
  RandomSource,
  sha256,
  type Tx,
} from '../../platform/index.js';
import type { ApplicantFile } from '../domain/applicant-details.js';
import { type Channel, isInstant } from '../domain/journey.js';
import type { Journey } from '../store/journey.entity.js';
import { type NextAction, nextActionOf } from '../domain/next-action.js';
import { HostedLinks } from '../access/hosted-links.js';
import type { Product } from '../../settings/index.js';
import { type JourneyDraft, NewJourneys } from './new-journeys.js';

export interface InitiateRequest extends Pick<ApplicantFile, 'applicant' | 'gold'> {
  readonly channel: Channel;
  readonly productCode: string;
  /** In rupees; absent: the product's default. */
  readonly loanAmount?: number;
  readonly consent: PartnerConsent;
  readonly reference: PartnerReference;
}

interface JourneyStart {
  readonly key: PartnerKey;
  readonly product: Product;
  readonly request: InitiateRequest;
  readonly idempotencyKey: IdempotencyKey | null;
  readonly cameBy: SignedRequest;
}

interface Started {
  readonly journeyId: string;
  readonly applicationId: string;
  readonly nextAction: NextAction;
  readonly hostedUrl?: string;
  readonly journeySession?: string;
}

type StartResult = IdempotentResult<Started>;

const INITIATE_OPERATION = 'journey/initiate';
export const INSTANT_OPERATION = 'instant-loans';

export function startOperation(journey: Pick<Journey, 'steps'>): string {
  return isInstant(journey) ? INSTANT_OPERATION : INITIATE_OPERATION;
}

const MAX_STARTS_PER_BATCH = 64;
const MAX_BATCHES_IN_FLIGHT = 2;
const MAX_PARALLEL_RETRIES = 4;

/**
 * Simultaneous requests share a transaction: one commit each would miss the floor of initiate (decision 26). When a
 * batch fails, each start gets its own transaction.
 */
@Injectable()
export class JourneyStarts {
  private readonly batches: Batcher<JourneyStart, StartResult | Error>;

  constructor(
    private readonly database: Database,
    private readonly newJourneys: NewJourneys,
    private readonly hostedLinks: HostedLinks,
    private readonly idempotency: Idempotency,
    private readonly random: RandomSource,
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
      // After a lost connection the commit is unknown, so nothing is retried.
      if (starts.length === 1 || isConnectionLost(error)) throw error;
      return this.startSeparately(starts);
    }
  }

  /** Starts with the same Idempotency-Key stay in one transaction. */
  private async startSeparately(starts: readonly JourneyStart[]): Promise<(StartResult | Error)[]> {
    const groups = Map.groupBy(starts.keys(), (index) => sameStart(starts[index]) ?? index);
    const results: (StartResult | Error)[] = [];
    await fewAtATime([...groups.values()], MAX_PARALLEL_RETRIES, async (indexes) => {
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
    const sessions = starts.map(({ request }) =>
      request.channel === 'API_HEADLESS' ? this.random.token() : null,
    );
    const journeys = await this.newJourneys.write(
      tx,
      starts.map((start, index) => draftOf(start, sessions[index])),
    );
    const hosted = journeys.filter(({ channel }) => channel === 'API_HOSTED');
    const issued = hosted.length > 0 ? await this.hostedLinks.issueAll(tx, hosted) : [];
    const links = new Map(hosted.map(({ id }, index) => [id, issued[index]]));
    return journeys.map((journey, index) => ({
      journeyId: journey.id,
      applicationId: journey.applicationId,
      nextAction: nextActionOf(journey),
      ...entranceOf(sessions[index], links.get(journey.id)),
    }));
  }
}

function draftOf(
  { key, product, request, cameBy }: JourneyStart,
  session: string | null,
): JourneyDraft {
  const { applicant, gold, channel, consent, reference } = request;
  const sessionHash = session === null ? null : sha256(session);
  const given = { key, product, channel, applicant, gold, consent, reference, cameBy, sessionHash };
  return { ...given, ...amountOf(request, product) };
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
