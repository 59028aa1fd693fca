/**
 * Whole headless journeys from initiate to SANCTIONED: three simulated lenders, a partner that polls, and a webhook per
 * event. `JOURNEYS` and `JOURNEYS_ROUNDS` set the journeys per round and the rounds.
 */
import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ActionKind, loanRequest, payloadOf } from '../test/support/loan-requests.ts';
import { PartnerClient } from '../test/support/partner-client.ts';
import { startBenchServer } from './support/bench-server.ts';
import { type ServiceProcess, startBuiltService } from './support/built-service.ts';
import { connected, createDatabase } from './support/create-database.ts';
import { medianOf } from './support/interleaved.ts';
import { liftLimits } from './support/lift-limits.ts';
import { processorTime } from './support/process-figures.ts';
import { surroundings, table, writeReport } from './support/report.ts';
import { demoLoadKey } from './support/signed-client.ts';
import { serverTime } from './webhooks/server-time.ts';

const JOURNEYS = Number(process.env.JOURNEYS ?? 500);
const ROUNDS = Number(process.env.JOURNEYS_ROUNDS ?? 5);
/** In parallel: the simulated lenders take seconds. */
const IN_FLIGHT = 150;
const FIRST_MOBILE = 9_000_000_000;
/** From `journey.initiated` to `journey.completed`. */
const WEBHOOKS = 7;
const ARRIVED_WITHIN_MS = 120_000;

interface Round {
  readonly aSecond: number;
  /** Processor seconds per thousand journeys. */
  readonly service: number;
  readonly postgres: number;
}

export async function run(): Promise<void> {
  const server = await startBenchServer();
  try {
    const url = await createDatabase(server.url, 'journeys');
    const service = await startBuiltService(url);
    const client = await connected(url);
    await liftLimits(client);
    await client.end();
    const receiver = await Receiver.start();
    try {
      const rounds = await measure(service, receiver, server.dataDir);
      const report = reportOf(rounds);
      process.stdout.write(`\n${report}\n`);
      writeReport('journeys', report);
    } finally {
      receiver.stop();
      await service.stop();
    }
  } finally {
    await server.stop();
  }
}

async function measure(
  service: ServiceProcess,
  receiver: Receiver,
  dataDir: string,
): Promise<Round[]> {
  const partner = new PartnerClient({ baseUrl: service.baseUrl, ...demoLoadKey() });
  await partner.post('/webhooks', { url: receiver.url });
  const rounds: Round[] = [];
  // The first round warms up.
  for (let round = 0; round <= ROUNDS; round += 1) {
    const before = { service: processorTime(service.pid), postgres: serverTime(dataDir) };
    const startedAt = performance.now();
    await driveAll(partner, FIRST_MOBILE + round * JOURNEYS);
    await receiver.reaches((round + 1) * JOURNEYS * WEBHOOKS);
    const perThousand = (used: number) => (used * 1_000) / JOURNEYS;
    const measured = {
      aSecond: (JOURNEYS * 1_000) / (performance.now() - startedAt),
      service: perThousand(processorTime(service.pid) - before.service),
      postgres: perThousand(serverTime(dataDir) - before.postgres),
    };
    process.stdout.write(`${measured.aSecond.toFixed(1)} journeys a second\n`);
    if (round > 0) rounds.push(measured);
  }
  return rounds;
}

async function driveAll(partner: PartnerClient, firstMobile: number): Promise<void> {
  let started = 0;
  const driver = async () => {
    while (started < JOURNEYS) {
      const mobile = String(firstMobile + started);
      started += 1;
      await drive(partner, mobile);
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, driver));
}

/** Takes a journey to its end like a partner's program: polls, and does the next action. */
async function drive(partner: PartnerClient, mobile: string): Promise<void> {
  const headers = { 'idempotency-key': randomUUID() };
  const { json } = await partner.initiate(loanRequest({ mobile }), { headers });
  const { journeyId: id, journeySession: session } = json.data;
  for (;;) {
    const { data: journey } = (await partner.journey(id, session)).json;
    const { type, category } = journey.currentNextAction;
    if (category === 'DONE') {
      if (journey.state !== 'SANCTIONED') throw new Error(`${id} ended as ${journey.state}`);
      return;
    }
    if (category === 'ACTION') {
      await partner.action(id, session, type, payloadOf(type as ActionKind, journey));
    } else if (category === 'REDIRECT') {
      await partner.returned(id, session, type.replace('REDIRECT_TO_', ''));
    } else {
      await sleep(journey.pollIntervalSeconds * 1_000);
    }
  }
}

/** Answers each webhook at once and counts it. */
class Receiver {
  readonly url: string;
  private readonly server: Server;
  private arrived = 0;

  private constructor(server: Server) {
    this.server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    server.on('request', (request, response) => {
      request.resume().on('end', () => {
        this.arrived += 1;
        response.end();
      });
    });
  }

  static async start(): Promise<Receiver> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new Receiver(server);
  }

  /** @throws Error when fewer than `count` arrive within two minutes */
  async reaches(count: number): Promise<void> {
    const until = performance.now() + ARRIVED_WITHIN_MS;
    while (this.arrived < count) {
      if (performance.now() > until)
        throw new Error(`${this.arrived} of ${count} webhooks arrived`);
      await sleep(20);
    }
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

function reportOf(rounds: readonly Round[]): string {
  const median = (pick: (round: Round) => number) => medianOf(rounds.map(pick)).toFixed(1);
  return `
## Whole journeys

${surroundings()}. One process of the built service on embedded PostgreSQL; ${JOURNEYS} headless journeys a round, ${IN_FLIGHT} at
a time, from initiate to \`SANCTIONED\`, with three simulated lenders, a partner that polls, and ${WEBHOOKS} webhooks each, all of which arrived;
medians of ${ROUNDS} rounds after a warm-up. Client, receiver, service and database share the machine.

${table(
  ['Journeys a second', 'processor seconds per 1,000: service', 'PostgreSQL'],
  [
    [
      median((round) => round.aSecond),
      median((round) => round.service),
      median((round) => round.postgres),
    ],
  ],
)}`;
}
