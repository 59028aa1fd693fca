import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import {
  Batcher,
  Clock,
  Columns,
  Database,
  READS_A_BATCH,
  ScheduledTask,
} from '../../platform/index.js';
import { Journey } from './journey.entity.js';

const columns = new Columns(Journey);

/** A journey by its key, and its owner. */
type OwnedJourney = Pick<Journey, 'id' | 'partnerId'>;

/** A journey as it was read, and of which version it was. */
interface KnownJourney {
  readonly version: string;
  readonly journey: Journey;
}

type ReadJourney = Journey & {
  readonly askedId: string;
  readonly version: string;
  /** It is of the version that was known, and its columns are left out. */
  readonly isKnown: boolean;
};

/** Some 25 MB of them, with their offers and what was made of them. */
const MAX_KNOWN = 1_000;
/** What was read of an applicant who is erased after it, on whichever replica, is not kept for long. */
const KEPT_MS = 10 * 60_000;
const FORGET_EVERY_MS = 60_000;

/**
 * Reads journeys by their keys. One that has not changed since it was read last, nor any offer of its round, is the
 * same object again: what was made of it holds still, and nothing of it but its version is read.
 */
@Injectable()
export class KnownJourneys {
  /** Requests that ask at the same moment share one round trip. */
  private readonly reads: Batcher<OwnedJourney, Journey | null>;
  private readonly known: LRUCache<string, KnownJourney>;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    this.known = new LRUCache({
      max: MAX_KNOWN,
      ttl: KEPT_MS,
      ttlResolution: 0,
      perf: { now: () => this.clock.now().getTime() },
    });
    this.reads = new Batcher({ ...READS_A_BATCH, run: (asked) => this.findAll(asked) });
  }

  find(asked: OwnedJourney): Promise<Journey | null> {
    return this.reads.add(asked);
  }

  /** How many are kept. */
  get size(): number {
    return this.known.size;
  }

  /** What nobody asks for again would stay until others push it out. */
  @ScheduledTask('forget-known-journeys', FORGET_EVERY_MS)
  async forgetOld(): Promise<void> {
    this.known.purgeStale();
  }

  private async findAll(asked: readonly OwnedJourney[]): Promise<(Journey | null)[]> {
    const ids = [...new Set(asked.map(({ id }) => id))];
    const known = new Map(ids.map((id) => [id, this.known.get(id)]));
    const rows = await this.database.prepared<ReadJourney>('journeys-by-version', READ, [
      ids,
      ids.map((id) => known.get(id)?.version ?? null),
    ]);
    const found = new Map(
      rows.map((row) => [
        row.askedId,
        row.isKnown ? known.get(row.askedId)!.journey : this.keep(row),
      ]),
    );
    return asked.map(({ partnerId, id }) => {
      const journey = found.get(id);
      return journey?.partnerId === partnerId ? journey : null;
    });
  }

  private keep({ askedId, version, isKnown: _isKnown, ...journey }: ReadJourney): Journey {
    const known = this.known.get(askedId);
    // Another read of the same moment may have come first.
    if (known?.version === version) return known.journey;
    this.known.set(askedId, { version, journey });
    return journey;
  }
}

// Every change of a row gives it another `xmin`.
const READ = `
  SELECT asked.id AS "askedId", v.version, v.version IS NOT DISTINCT FROM asked.known AS "isKnown",
    ${columns.selected('j')}
  FROM unnest($1::text[], $2::text[]) AS asked (id, known)
  CROSS JOIN LATERAL (
    SELECT concat_ws(' ', r.xmin, (
      SELECT string_agg(o.xmin::text, ' ' ORDER BY o.id) FROM journey_offers AS o
      WHERE o.journey_id = r.id AND o.round = r.offer_round)) AS version
    FROM journeys AS r WHERE r.id = asked.id OFFSET 0) AS v
  LEFT JOIN LATERAL (
    SELECT * FROM journeys AS r
    WHERE r.id = asked.id AND v.version IS DISTINCT FROM asked.known OFFSET 0) AS j ON true
`;
