import { Driver } from '../support/driver.ts';
import { medianOf, medianRatio } from '../support/interleaved.ts';
import { table } from '../support/report.ts';
import { cleanAway, LOTS, type Lot } from './day-lots.ts';
import type { Growth } from './ground.ts';
import { drive, readOrder, serve } from './rates.ts';

/** Enough passes, since a pass of tens of milliseconds varies by a tenth. */
const PASSES = 9;
const ROUNDS = 3;
const READS = 6_000;

/** Clean-ups with a day's worth of work: their duration on both sides, and their effect on callers. */
export async function cleanUpSection(growth: Growth): Promise<string> {
  const rows: string[][] = [];
  for (const lot of LOTS) {
    const { few, many, ratio } = await compare(growth, lot);
    growth.log(`clean-up of ${lot.name}: ${few.toFixed()} ms and ${many.toFixed()} ms`);
    const micros = (ms: number) => ((ms * 1_000) / lot.rows).toFixed(1);
    rows.push([
      lot.name,
      lot.rows.toLocaleString('en'),
      few.toFixed(),
      many.toFixed(),
      micros(few),
      micros(many),
      ratio.toFixed(2),
    ]);
  }
  const head = [
    'What',
    'rows',
    'small ms',
    'large ms',
    'small µs a row',
    'large µs a row',
    'ratio',
  ];
  return `### Clean-ups

A day’s worth at once of what has had its time, although each pass runs every ten minutes or more
often; the service’s own tasks, medians of ${PASSES} passes in turns.

${table(head, rows)}

${await callersSection(growth)}`;
}

/** Milliseconds. */
interface Compared {
  readonly few: number;
  readonly many: number;
  readonly ratio: number;
}

async function compare({ small, large }: Growth, lot: Lot): Promise<Compared> {
  const times = { small: [] as number[], large: [] as number[] };
  for (let round = -1; round < PASSES; round += 1) {
    for (const side of round % 2 === 0 ? [small, large] : [large, small]) {
      await lot.write(side.client);
      const before = await lot.count(side.client);
      const ms = await timed(() => cleanAway(lot, side.parts));
      const gone = before - (await lot.count(side.client));
      if (gone < lot.rows) throw new Error(`${lot.name}: only ${gone} rows went, ${side.name}`);
      if (round >= 0) times[side.name].push(ms);
    }
  }
  return {
    few: medianOf(times.small),
    many: medianOf(times.large),
    ratio: medianRatio(times.large, times.small),
  };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** Reads on the large side, without other work and while all clean-ups run. */
async function callersSection({ large, log }: Growth): Promise<string> {
  const served = await serve(large);
  const driver = new Driver();
  const order = readOrder(large.realJourneys, READS);
  const alone = { rate: [] as number[], p99: [] as number[] };
  const meanwhile = { rate: [] as number[], p99: [] as number[] };
  try {
    await drive(driver, served, order);
    for (let round = 0; round < ROUNDS; round += 1) {
      const before = await drive(driver, served, order);
      alone.rate.push(before.rate);
      alone.p99.push(before.p99);
      for (const lot of LOTS) await lot.write(large.client);
      const cleaning = Promise.all(LOTS.map((lot) => cleanAway(lot, large.parts)));
      const during = await drive(driver, served, order);
      await cleaning;
      meanwhile.rate.push(during.rate);
      meanwhile.p99.push(during.p99);
      log(`p99 ${before.p99.toFixed(1)} ms alone, ${during.p99.toFixed(1)} ms while cleaning`);
    }
  } finally {
    driver.close();
    await served.service.stop();
  }
  return `While all of them run at once beside ${READS.toLocaleString('en')} reads of journeys on 64
connections, every call is answered: p99 ${medianOf(meanwhile.p99).toFixed(1)} ms at
${medianOf(meanwhile.rate).toFixed()} a second, against ${medianOf(alone.p99).toFixed(1)} ms at
${medianOf(alone.rate).toFixed()} without.`;
}
