import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { type LenderProcess, startLenders } from '../../../examples/lender/lender-process.ts';
import { REAL_WORLD } from '../../../examples/lender/world.ts';
import { configurationWith } from '../../support/configuration-with.js';
import { freePort } from '../../support/free-port.js';
import { scratchFolder } from '../../support/scratch-folder.js';
import { startService, type TestService } from '../../support/service.js';
import { shippedConfiguration } from '../../support/shipped-configuration.js';

const LENDERS = fileURLToPath(new URL('../../../examples/lender/lenders.json', import.meta.url));

/**
 * A service whose three lenders are the reference lender's. To a browser they are another site: the service
 * is at 127.0.0.1, they are at localhost.
 */
export class RemoteLenderStage {
  private constructor(
    readonly service: TestService,
    readonly lendersUrl: string,
    private readonly lenders: LenderProcess,
    private readonly cleanUp: () => void,
  ) {}

  static async open(): Promise<RemoteLenderStage> {
    const port = await freePort();
    const lendersUrl = `http://localhost:${port}`;
    const folder = scratchFolder('rinpath-remote-lenders-');
    const configuration = configurationWith({ lenders: remoteLenders(lendersUrl) });
    const cleanUp = () => {
      configuration.remove();
      rmSync(folder, { recursive: true, force: true });
    };
    const service = await startService({ configFile: configuration.file });
    const lenders = await startLenders(
      {
        host: '127.0.0.1',
        port,
        url: lendersUrl,
        adminPort: 0,
        lendersFile: LENDERS,
        databaseFile: join(folder, 'lender.sqlite'),
        passesUnvisitedSteps: false,
        tls: null,
        rinpathKeys: `${service.baseUrl}/.well-known/rlp-jwks.json`,
        rinpathAnswers: `${service.baseUrl}/lender-api/v1`,
      },
      REAL_WORLD,
    );
    return new RemoteLenderStage(service, lendersUrl, lenders, cleanUp);
  }

  /** The steps that the lenders have passed, of one loan. */
  async passedSteps(applicationId: string): Promise<string[]> {
    const books = (await (await fetch(`${this.lenders.adminUrl}/books`)).json()) as Books;
    const chosen = books.selections.find((selection) => selection.applicationId === applicationId);
    return books.steps
      .filter(({ offerReference }) => offerReference === chosen?.offerReference)
      .map(({ step }) => step);
  }

  async close(): Promise<void> {
    await this.service.close();
    await this.lenders.stop();
    this.cleanUp();
  }
}

interface Books {
  selections: { applicationId: string; offerReference: string }[];
  steps: { offerReference: string; step: string }[];
}

function remoteLenders(lendersUrl: string): object[] {
  const shipped = parse(shippedConfiguration()) as { lenders: { code: string }[] };
  return shipped.lenders.map((lender) => {
    const address = `${lendersUrl}/${lender.code}`;
    const remote = { address, jwks: `${address}/jwks.json` };
    return { ...lender, adapter: 'rlp', kind: 'NBFC', remote };
  });
}
