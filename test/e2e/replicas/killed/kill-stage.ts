import { configurationWith, type TestConfiguration } from '../../../support/configuration-with.js';
import { FakeRazorpay, RAZORPAY_ACCOUNT } from '../../../support/fake-razorpay.js';
import { freePort } from '../../../support/free-port.js';
import type { HeldLock } from '../../../support/held-lock.js';
import type { JourneyRecords } from '../../../support/journey-records.js';
import type { PartnerClient } from '../../../support/partner-client.js';
import { ReferenceLenders } from '../../../support/reference-lenders.ts';
import { HttpGatewayServer } from '../../../support/sms-gateways.js';
import { sectionsFor, termsFor } from '../../lender-faults/lender-stage.js';
import { KillableService } from '../killable-service.js';

/** For a loaded machine. */
export const PATIENT = { withinMs: 30_000 };
/** Longer than every lease, so that a slow machine starts the new process before a lease ends. */
export const LEASE_SECONDS = 60;
/** Has remote lenders; every other product has those of the sandbox. */
export const REMOTE_PRODUCT = 'ONLINE_BUSINESS';

const PRODUCTS = [{ code: REMOTE_PRODUCT, lenders: ['chosen', 'other'] }];
/** Every transaction that a lock stops keeps its connection. */
const ENOUGH_CONNECTIONS = '30';

/** Work that a kill interrupts. */
export interface InterruptedWork {
  prepare(): Promise<void>;
  /** Locks that the work will wait for. None waits yet: a new trigger would wait for the work, too. */
  lock(): Promise<HeldLock[]>;
  /** Begins the work. The service cancels a statement after 15 s. */
  begin(): Promise<void>;
  /** Begins calls that get no answer. The service cancels a call after 10 s, so this comes last. */
  call?: () => Promise<void>;
  /** After the kill, while the locks are still held. */
  beforeRelease?: () => Promise<void>;
  /** Checks what the killed process left. */
  expectUnrecorded(): Promise<void>;
}

/** A service that can be killed, and the gateways and lenders that it calls. */
export class KillStage {
  private constructor(
    readonly service: KillableService,
    readonly lenders: ReferenceLenders,
    readonly texts: HttpGatewayServer,
    readonly razorpay: FakeRazorpay,
    private readonly configuration: TestConfiguration,
  ) {}

  static async open(): Promise<KillStage> {
    const [lenderPort, port] = await Promise.all([ReferenceLenders.port(), freePort()]);
    const [texts, razorpay, lenders] = await Promise.all([
      new HttpGatewayServer().start(),
      new FakeRazorpay().start(),
      ReferenceLenders.start({
        rinpathUrl: `http://127.0.0.1:${port}`,
        port: lenderPort,
        lenders: termsFor(PRODUCTS),
        passesUnvisitedSteps: true,
      }),
    ]);
    const account = { ...RAZORPAY_ACCOUNT, apiBaseUrl: razorpay.url };
    const configuration = configurationWith({
      ...sectionsFor(PRODUCTS, lenderPort),
      sms: texts.section,
      payment: { gateway: 'razorpay', razorpay: account },
    });
    const env = { CONFIG_FILE: configuration.file, DATABASE_POOL: ENOUGH_CONNECTIONS };
    const service = await KillableService.open({ port, env });
    return new KillStage(service, lenders, texts, razorpay, configuration);
  }

  async close(): Promise<void> {
    await this.service.close();
    await this.lenders.stop();
    await this.razorpay.stop();
    await this.texts.stop();
    this.configuration.remove();
  }

  get records(): JourneyRecords {
    return this.service.records;
  }

  get partner(): PartnerClient {
    return this.service.partner;
  }

  /** Kills the process while all this work is in progress, and starts the next one. */
  async killDuring(works: readonly InterruptedWork[]): Promise<void> {
    await Promise.all(works.map((work) => work.prepare()));
    const locks: HeldLock[] = [];
    for (const work of works) locks.push(...(await work.lock()));
    for (const work of works) await work.begin();
    for (const work of works) await work.call?.();
    await this.service.kill();
    for (const work of works) await work.beforeRelease?.();
    for (const lock of locks) await lock.release();
    await this.records.untilNobodyIsConnected();
    for (const work of works) await work.expectUnrecorded();
    await this.records.query(
      `UPDATE journeys SET lease_until = app_now() + make_interval(secs => $1)
       WHERE lease_until IS NOT NULL`,
      [LEASE_SECONDS],
    );
    await this.service.start();
  }
}
