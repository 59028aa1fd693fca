import { parse } from 'yaml';
import { configurationWith } from './configuration-with.js';
import { ReferenceLenders, remoteLenders, shippedTerms } from './reference-lenders.js';
import { startService, type OwnService } from './service.js';
import { shippedConfiguration } from './shipped-configuration.js';

const HOSTNAME = 'localhost';

/** A service whose three lenders are reference lenders, on their shipped terms. */
export class RemoteLenderStage {
  private constructor(
    readonly service: OwnService,
    readonly lenders: ReferenceLenders,
    readonly lendersUrl: string,
    private readonly ahead: { milliseconds: number },
    private readonly removeFile: () => void,
  ) {}

  static async open(): Promise<RemoteLenderStage> {
    const port = await ReferenceLenders.port();
    const shipped = parse(shippedConfiguration()) as { lenders: { code: string }[] };
    const lenders = remoteLenders(shipped.lenders, port, { hostname: HOSTNAME });
    const configuration = configurationWith({ lenders });
    const service = await startService({ configFile: configuration.file });
    const ahead = { milliseconds: 0 };
    const running = await ReferenceLenders.start({
      rinpathUrl: service.baseUrl,
      port,
      hostname: HOSTNAME,
      lenders: shippedTerms(),
      world: { now: () => new Date(Date.now() + ahead.milliseconds) },
    });
    const lendersUrl = `http://${HOSTNAME}:${port}`;
    return new RemoteLenderStage(service, running, lendersUrl, ahead, () => configuration.remove());
  }

  async travel(milliseconds: number): Promise<void> {
    this.ahead.milliseconds += milliseconds;
    await this.service.travel(milliseconds);
  }

  async passedSteps(applicationId: string): Promise<string[]> {
    const { selections, steps } = await this.lenders.books();
    const chosen = selections.find((selection) => selection.applicationId === applicationId);
    return steps
      .filter(({ offerReference }) => offerReference === chosen?.offerReference)
      .map(({ step }) => step);
  }

  async close(): Promise<void> {
    await this.service.close();
    await this.lenders.stop();
    this.removeFile();
  }
}
