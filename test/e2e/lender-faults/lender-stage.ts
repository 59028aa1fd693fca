import { parse } from 'yaml';
import type { LenderTerms } from '../../../examples/lender/lender-terms.ts';
import { configurationWith } from '../../support/configuration-with.js';
import { ReferenceLenders, remoteSection, shippedTerms } from '../../support/reference-lenders.ts';
import { startService, type OwnService } from '../../support/service.js';
import { shippedConfiguration } from '../../support/shipped-configuration.js';

/** A product, and the only lenders that serve it. */
export interface StagedProduct {
  readonly code: string;
  readonly lenders: readonly string[];
}

interface ShippedConfiguration {
  readonly lenders: readonly { readonly code: string; readonly products: Record<string, object> }[];
}

/** The shared terms: a personal loan of the first shipped lender. */
const LIKE = { lender: 'navdhara', product: 'ONLINE_PERSONAL' } as const;

/** A service for one test file, with remote lenders only. */
export class LenderStage {
  private constructor(
    readonly service: OwnService,
    readonly lenders: ReferenceLenders,
    private readonly removeFile: () => void,
  ) {}

  static async open(products: readonly StagedProduct[]): Promise<LenderStage> {
    const port = await ReferenceLenders.port();
    const configuration = configurationWith(sectionsFor(products, port));
    const service = await startService({ configFile: configuration.file });
    try {
      const lenders = await ReferenceLenders.start({
        rinpathUrl: service.baseUrl,
        port,
        lenders: termsFor(products),
      });
      return new LenderStage(service, lenders, () => configuration.remove());
    } catch (error) {
      await service.close();
      configuration.remove();
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.service.close();
    await this.lenders.stop();
    this.removeFile();
  }
}

/** Configuration sections: only these lenders serve these products. */
export function sectionsFor(products: readonly StagedProduct[], port: number) {
  const shipped = parse(shippedConfiguration()) as ShippedConfiguration;
  const like = shipped.lenders.find(({ code }) => code === LIKE.lender)!;
  const staged = new Set(products.map(({ code }) => code));
  const others = shipped.lenders.map((lender) => {
    const kept = Object.entries(lender.products).filter(([code]) => !staged.has(code));
    return { ...lender, products: Object.fromEntries(kept) };
  });
  const remote = servedBy(products).map(([code, served]) => ({
    ...like,
    code,
    name: `Lender ${code}`,
    shortName: undefined,
    adapter: 'rlp',
    kind: 'NBFC',
    remote: remoteSection(port, code),
    branches: [],
    products: Object.fromEntries(served.map((each) => [each, like.products[LIKE.product]])),
  }));
  return { lenders: [...others, ...remote] };
}

/** The same lenders' own settings. */
export function termsFor(products: readonly StagedProduct[]): LenderTerms[] {
  const like = shippedTerms().find(({ code }) => code === LIKE.lender)!;
  return servedBy(products).map(([code, served]) => ({
    ...like,
    code,
    name: `Lender ${code}`,
    shortName: undefined,
    products: Object.fromEntries(served.map((each) => [each, like.products[LIKE.product]])),
  }));
}

/** The products of each lender. */
function servedBy(products: readonly StagedProduct[]): [string, string[]][] {
  const codes = new Set(products.flatMap(({ lenders }) => lenders));
  return [...codes].map((lender) => [
    lender,
    products.filter(({ lenders }) => lenders.includes(lender)).map(({ code }) => code),
  ]);
}
