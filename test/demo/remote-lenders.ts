import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { configurationWith, type TestConfiguration } from '../support/configuration-with.ts';
import { freePort } from '../support/free-port.ts';
import { NeededProcess, ROOT } from '../support/needed-process.ts';

const PRINTED = /^lenders:\n(?:.+\n)+/m;

type Section = Record<string, unknown> & { code: string };

interface Books {
  steps: unknown[];
  payouts: unknown[];
  messages: { endedAt: string | null; lastStatus: string | null }[];
}

/** The reference lenders in their own process, and the configuration through which the service calls them. */
export class RemoteLenders {
  readonly process: NeededProcess;
  readonly #adminUrl: string;
  #configuration: TestConfiguration | null = null;

  private constructor(process: NeededProcess, adminPort: number) {
    this.process = process;
    this.#adminUrl = `http://127.0.0.1:${adminPort}`;
  }

  static async start(rinpath: string, folder: string): Promise<RemoteLenders> {
    const [port, adminPort] = [await freePort(), await freePort()];
    const lenders = new NeededProcess('The lenders', [join(ROOT, 'examples/lender/main.ts')], {
      LENDER_PORT: String(port),
      LENDER_ADMIN_PORT: String(adminPort),
      LENDER_DATABASE: join(folder, 'lender.sqlite'),
      RINPATH_BASE_URL: rinpath,
    });
    return new RemoteLenders(lenders, adminPort);
  }

  async configure(): Promise<string> {
    await this.process.ready();
    const printed = parse(PRINTED.exec(this.process.output)?.[0] ?? '') as { lenders: Section[] };
    const shipped = parse(readFileSync(join(ROOT, 'config/sandbox.yaml'), 'utf8')) as {
      lenders: Section[];
    };
    const lenders = shipped.lenders.map((lender) => ({
      ...lender,
      ...printed.lenders.find(({ code }) => code === lender.code),
    }));
    const local = lenders.filter(({ adapter }) => adapter !== 'rlp').map(({ code }) => code);
    if (local.length > 0) throw new Error(`No remote lender is there for ${local.join(', ')}`);
    this.#configuration = configurationWith({ lenders });
    return this.#configuration.file;
  }

  /** @throws Error if a loan was not theirs, or the service refused a message */
  async checkBooks(): Promise<void> {
    const response = await fetch(`${this.#adminUrl}/books`);
    const { steps, payouts, messages } = (await response.json()) as Books;
    const refused = messages.filter(({ endedAt, lastStatus }) => endedAt && lastStatus !== '202');
    console.log(
      `The lenders' books have ${steps.length} steps passed, ${payouts.length} payouts, ` +
        `${messages.length} messages sent.`,
    );
    if (steps.length === 0 || payouts.length === 0) throw new Error('The lenders were not asked.');
    if (refused.length > 0) throw new Error(`Messages were refused: ${JSON.stringify(refused)}`);
  }

  async kill(): Promise<void> {
    await this.process.kill();
    this.#configuration?.remove();
  }
}
