import { parse } from 'yaml';
import { LenderGateway, type QuestionPayload } from '../../../src/lenders/index.js';
import { Database } from '../../../src/platform/index.js';
import { type Lender, LenderCatalogue } from '../../../src/settings/index.js';
import { configurationWith } from '../../support/configuration-with.js';
import { startService, type OwnService } from '../../support/service.js';
import { shippedConfiguration } from '../../support/shipped-configuration.js';
import { type SmallLender, startSmallLender } from '../../support/small-lender.js';

export const LENDER = 'navdhara';

/** A service whose first lender is remote, and that lender. */
export class RemoteLenderBench {
  private constructor(
    readonly service: OwnService,
    readonly lender: SmallLender,
    private readonly configuration: ReturnType<typeof configurationWith>,
  ) {}

  /** @param remote more settings of the connection to the lender */
  static async open(
    remote: (lender: SmallLender) => object = ({ jwk }) => ({ keys: [jwk] }),
  ): Promise<RemoteLenderBench> {
    let baseUrl: string | undefined;
    const lender = await startSmallLender({
      jwksOf: () => baseUrl && `${baseUrl}/.well-known/rlp-jwks.json`,
    });
    const shipped = parse(shippedConfiguration()) as { lenders: { code: string }[] };
    const lenders = shipped.lenders.map((one) =>
      one.code === LENDER
        ? {
            ...one,
            adapter: 'rlp',
            kind: 'NBFC',
            // High, because a test file sends many more questions than a journey.
            remote: {
              address: lender.address,
              limits: { callsPerSecond: 1_000 },
              ...remote(lender),
            },
          }
        : one,
    );
    const configuration = configurationWith({ lenders });
    const service = await startService({ configFile: configuration.file });
    ({ baseUrl } = service);
    return new RemoteLenderBench(service, lender, configuration);
  }

  get configFile(): string {
    return this.configuration.file;
  }

  get gateway(): LenderGateway {
    return this.service.get<LenderGateway>(LenderGateway);
  }

  async configured(): Promise<Lender> {
    const lender = await this.service.get<LenderCatalogue>(LenderCatalogue).find(LENDER);
    return lender!;
  }

  query<Row extends object>(sql: string, values: unknown[] = []): Promise<Row[]> {
    return this.service.get<Database>(Database).query(sql, values);
  }

  async close(): Promise<void> {
    await this.service.close();
    await this.lender.close();
    this.configuration.remove();
  }
}

export const HASH = 'a'.repeat(64);

/** Every field that a question may have. */
export const PAYLOAD: QuestionPayload = {
  subjectKind: 'JOURNEY',
  applicationId: 'app_1',
  productCode: 'ONLINE_PERSONAL',
  loanAmount: 200_000_00,
  netDisbursed: 195_280_00,
  applicant: {
    mobile: '9876543210',
    pan: 'ABCDE1234F',
    fullName: 'Asha Verma',
    monthlyIncome: 60_000.5,
    employmentType: 'selfEmployed',
    gender: 'FEMALE',
    somethingElse: 'is private',
  },
  gold: { grams: '12.5', jewelleryList: ['Chain'] },
  consent: { givenBy: 'PARTNER', givenAt: '2026-11-22T10:00:00+05:30' },
  usefulUntil: '2026-11-22T10:30:00+05:30',
  offerReference: 'OFFER-1',
  applicationReference: 'LOAN-APP-1',
  branchReference: 'branch-1',
  acknowledgement: {
    keyFactsHash: HASH,
    acknowledgedAt: '2026-11-22T10:10:00+05:30',
    language: 'hi',
  },
  stepAttempt: 2,
  withdrawal: { reason: 'ABANDONED' },
  bankAccount: {
    accHolderName: 'Asha Verma',
    acctype: 'SAVINGS',
    accNo: '001234567890',
    ifscCode: 'HDFC0000001',
  },
  keyFactsHash: HASH,
  feePaid: { amount: 235_00, gatewayPaymentId: null, paidAt: '2026-11-22T10:20:00+05:30' },
};
