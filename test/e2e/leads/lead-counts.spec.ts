import * as fc from 'fast-check';
import { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LeadsFilter } from '../../../src/leads/store/leads-page-statement.js';
import { LeadWriter } from '../../../src/leads/index.js';
import { LeadCountsRepository } from '../../../src/leads/store/lead-counts.repository.js';
import { Database } from '../../../src/platform/index.js';
import { HeldLock } from '../../support/held-lock.js';
import { inForm } from '../../support/long-form.js';
import { serviceOfFile } from '../../support/shared-service.js';
import { type ModelLead, modelPage, servicePage, settle } from './leads-model.js';

/** Seven minutes before midnight in India. */
const START = Date.UTC(2025, 0, 1, 18, 23);
const HOUR = 3_600_000;
const TYPES = ['GOLD', 'HOME', 'CAR'];
const STATUSES = ['NEW', 'PAID', 'OVER'];

const service = serviceOfFile();
let pool: Pool;
let counts: LeadCountsRepository;
let partners = 0;

beforeAll(() => {
  pool = new Pool({ connectionString: service.databaseUrl, max: 12 });
  // The database may be dropped with the service before a connection has ended.
  pool.on('connect', (client) => client.on('error', () => undefined));
  counts = service.get(LeadCountsRepository);
});

afterAll(async () => {
  await pool.end();
});

async function newPartner(): Promise<string> {
  partners += 1;
  const id = `counted-${partners}`;
  await pool.query('INSERT INTO partners (id, name) VALUES ($1, $1)', [id]);
  return id;
}

let leads = 0;

function newLead(lead: Omit<ModelLead, 'id'>): ModelLead {
  leads += 1;
  // Ids do not rise with time, because within a moment the order is by id.
  return { ...lead, id: `app_${((leads * 7_919) % 1_000_003).toString(16).padStart(32, '0')}` };
}

async function insert(partnerId: string, lead: ModelLead): Promise<void> {
  await service.get(Database).transaction((tx) =>
    service.get(LeadWriter).openAll(tx, [
      {
        id: lead.id,
        partnerId,
        loanType: lead.loanType,
        loanAmount: 1_000_00,
        loanAmountSource: 'PARTNER',
        status: lead.status,
        journeyId: journeyOf(lead.id),
        referenceSealed: null,
        clientReferenceId: undefined,
        isReferenceUnique: false,
        submittedAt: new Date(lead.at),
      },
    ]),
  );
}

const anyLead = fc.record({
  loanType: fc.constantFrom(...TYPES),
  status: fc.constantFrom(...STATUSES),
  // Few distinct moments, so that many leads share one, with dense and empty stretches.
  at: fc.oneof(
    fc.integer({ min: 0, max: 5 }).map((step) => START + step),
    fc.integer({ min: 0, max: 400 }).map((step) => START + step * 60_000),
    fc.integer({ min: 0, max: 100 }).map((step) => START + step * HOUR),
  ),
});

const anyBound = fc
  .oneof(
    fc.integer({ min: -1, max: 401 }).map((step) => step * 60_000),
    fc.integer({ min: -1, max: 101 }).map((step) => step * HOUR + 2),
  )
  .map((after) => new Date(START + after));

const anyFilter: fc.Arbitrary<LeadsFilter> = fc.record(
  {
    loanType: fc.constantFrom(...TYPES, 'NONE'),
    status: fc.constantFrom(...STATUSES, 'NONE'),
    from: anyBound,
    to: anyBound,
  },
  { requiredKeys: [] },
);

const anyStretch = fc.record({
  offset: fc.integer({ min: 0, max: 80 }),
  limit: fc.integer({ min: 1, max: 20 }),
});

type Step =
  | { kind: 'insert'; leads: Omit<ModelLead, 'id'>[] }
  | { kind: 'status'; place: number; status: string }
  | { kind: 'delete'; place: number }
  | { kind: 'fold' }
  | { kind: 'settle' }
  | { kind: 'read'; filter: LeadsFilter; offset: number; limit: number };

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .array(anyLead, { minLength: 1, maxLength: 12 })
      .map((some): Step => ({ kind: 'insert', leads: some })),
  },
  {
    weight: 4,
    arbitrary: fc
      .record({ place: fc.nat(), status: fc.constantFrom(...STATUSES) })
      .map((change): Step => ({ kind: 'status', ...change })),
  },
  { weight: 1, arbitrary: fc.nat().map((place): Step => ({ kind: 'delete', place })) },
  { weight: 3, arbitrary: fc.constant<Step>({ kind: 'fold' }) },
  { weight: 2, arbitrary: fc.constant<Step>({ kind: 'settle' }) },
  {
    weight: 5,
    arbitrary: fc
      .tuple(anyFilter, anyStretch)
      .map(([filter, stretch]): Step => ({ kind: 'read', filter, ...stretch })),
  },
);

function journeyOf(leadId: string): string {
  return leadId.replace('app', 'jrn');
}

async function expectPage(
  partnerId: string,
  model: readonly ModelLead[],
  filter: LeadsFilter,
  { offset, limit }: { offset: number; limit: number },
): Promise<void> {
  const stretch = { offset, limit };
  const page = await servicePage(pool, partnerId, filter, stretch);
  expect(page).toEqual(modelPage(model, filter, stretch));
}

async function take(step: Step, partnerId: string, model: ModelLead[]): Promise<void> {
  if (step.kind === 'fold') await counts.fold(partnerId, 7);
  else if (step.kind === 'settle') await settle(counts, partnerId);
  else if (step.kind === 'insert') {
    for (const one of step.leads) {
      const lead = newLead(one);
      model.push(lead);
      await insert(partnerId, lead);
    }
  } else if (step.kind === 'read') {
    await expectPage(partnerId, model, step.filter, step);
  } else if (model.length > 0) {
    const place = step.place % model.length;
    const { id } = model[place];
    if (step.kind === 'delete') {
      model.splice(place, 1);
      await pool.query('DELETE FROM applications WHERE id = $1', [id]);
    } else {
      model[place].status = step.status;
      await service
        .get(Database)
        .transaction((tx) =>
          service
            .get(LeadWriter)
            .setStatuses(tx, [{ partnerId, journeyId: journeyOf(id), status: step.status }]),
        );
    }
  }
}

describe('the list of leads', () => {
  it('agrees with a brute-force model after any inserts, changes, deletions and folds', async () => {
    const property = fc.asyncProperty(
      fc.array(anyStep, { minLength: 5, maxLength: 40 }),
      fc.array(fc.tuple(anyFilter, anyStretch), { minLength: 8, maxLength: 8 }),
      async (steps, reads) => {
        const partnerId = await newPartner();
        const model: ModelLead[] = [];
        for (const step of steps) await take(step, partnerId, model);
        for (const [filter, stretch] of reads) {
          await expectPage(partnerId, model, filter, stretch);
        }
      },
    );
    await fc.assert(property, { numRuns: inForm({ short: 10, long: 60 }) });
  }, 120_000);

  it('counts what is loaded in bulk or by hand', async () => {
    const partnerId = await newPartner();
    await pool.query(
      `INSERT INTO applications (id, journey_id, partner_id, loan_type, loan_amount, loan_amount_source, status,
         submitted_at, updated_at)
       SELECT 'app_bulk' || lpad(n::text, 6, '0'), 'jrn_bulk' || n, $1, 'GOLD', 100, 'PARTNER', 'NEW',
         timestamptz '2025-01-01Z' + n * interval '1 second', app_now()
       FROM generate_series(1, 500) AS n`,
      [partnerId],
    );
    const read = () => servicePage(pool, partnerId, {}, { offset: 250, limit: 1 });
    expect(await read()).toEqual({ ids: ['app_bulk000250'], total: 500 });
    await settle(counts, partnerId);
    expect(await read()).toEqual({ ids: ['app_bulk000250'], total: 500 });
    await pool.query(`DELETE FROM applications WHERE partner_id = $1 AND id > 'app_bulk000300'`, [
      partnerId,
    ]);
    expect(await read()).toEqual({ ids: ['app_bulk000050'], total: 300 });
    expect((await read()).total).toBe(300);
  });
});

/** A page's total and the number of rows, both in one snapshot. */
async function differences(partnerId: string, filter: LeadsFilter): Promise<string[]> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const { rows } = await client.query<{ id: string }>(
      `SELECT id FROM applications WHERE partner_id = $1 AND ($2::text IS NULL OR status = $2)
       ORDER BY submitted_at DESC, id DESC`,
      [partnerId, filter.status ?? null],
    );
    const stretch = { offset: Math.floor(rows.length / 2), limit: 5 };
    const page = await servicePage(client, partnerId, filter, stretch);
    await client.query('COMMIT');
    const ids = rows.slice(stretch.offset, stretch.offset + 5).map(({ id }) => id);
    const isSame = page.total === rows.length && JSON.stringify(page.ids) === JSON.stringify(ids);
    return isSame ? [] : [JSON.stringify({ page, ids, count: rows.length })];
  } finally {
    client.release();
  }
}

describe('under concurrency', () => {
  it('every snapshot agrees with itself while leads come, move and are folded side by side', async () => {
    const partnerId = await newPartner();
    const work = { isOver: false };
    const found: string[] = [];
    let reads = 0;
    const reader = async () => {
      while (!work.isOver) {
        found.push(...(await differences(partnerId, reads % 2 ? { status: 'NEW' } : {})));
        reads += 1;
      }
    };
    const folder = async () => {
      while (!work.isOver) await counts.fold(partnerId, 7);
    };
    const writer = async (index: number) => {
      for (let round = 0; round < 10; round += 1) {
        const at = START + ((round * 31 + index * 17) % 90) * 1_000;
        const lead = newLead({ loanType: TYPES[round % 3], status: 'NEW', at });
        await insert(partnerId, lead);
        const change = service
          .get(Database)
          .transaction((tx) =>
            service
              .get(LeadWriter)
              .setStatuses(tx, [{ partnerId, journeyId: journeyOf(lead.id), status: 'PAID' }]),
          );
        if (round % 2 === 0) await change;
        else await change.catch(() => undefined);
      }
    };
    const readers = [reader(), reader(), folder(), folder()];
    await Promise.all([0, 1, 2, 3].map(writer));
    work.isOver = true;
    await Promise.all(readers);
    expect(found).toEqual([]);
    expect(reads).toBeGreaterThan(10);
    await settle(counts, partnerId);
    expect(await servicePage(pool, partnerId, { status: 'PAID' }, { offset: 0, limit: 1 })).toEqual(
      expect.objectContaining({ total: 40 }),
    );
  }, 60_000);

  it('no lead waits for another one’s transaction, nor for a fold', async () => {
    const partnerId = await newPartner();
    const [first, second] = [0, 1].map(() =>
      newLead({ loanType: 'GOLD', status: 'NEW', at: START }),
    );
    await insert(partnerId, newLead({ loanType: 'GOLD', status: 'NEW', at: START }));
    await settle(counts, partnerId);
    const open = await HeldLock.take(
      service.databaseUrl,
      `INSERT INTO applications (id, journey_id, partner_id, loan_type, loan_amount, loan_amount_source, status,
         submitted_at, updated_at) VALUES ($1, 'jrn_of_' || $1, $2, 'GOLD', 100, 'PARTNER', 'NEW', $3, app_now())`,
      [first.id, partnerId, new Date(first.at)],
    );
    try {
      await insert(partnerId, second);
      await settle(counts, partnerId);
      expect((await servicePage(pool, partnerId, {}, { offset: 0, limit: 5 })).total).toBe(2);
    } finally {
      await open.release({ keep: true });
    }
    expect((await servicePage(pool, partnerId, {}, { offset: 0, limit: 5 })).total).toBe(3);
  });
});
