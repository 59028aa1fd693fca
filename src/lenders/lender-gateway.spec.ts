import { Logger } from '@nestjs/common';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Metrics } from '../platform/index.js';
import type { LenderCatalogue } from '../settings/index.js';
import { AnswerPending, LenderGateway, LenderUnavailable } from './lender-gateway.js';
import type { LenderConnector } from './lender-port.js';
import { barePayload } from './question-payload.js';

const URL = 'https://pages.lender.example/kyc/1';

interface Case {
  readonly mode: 'sandbox' | 'production';
  readonly providers?: readonly { step: string; name: string; host: string }[];
  readonly isOutside?: boolean;
  /** Thrown instead of returning a session. */
  readonly failure?: Error;
  readonly url?: string;
}

/** Opens a session for KYC at a lender. */
function openSession({ mode, providers, isOutside = true, failure, url = URL }: Case) {
  const lender = {
    code: 'one',
    adapter: 'rlp',
    terms: { providers },
    remote: isOutside ? { address: 'https://gateway.lender.example/rlp' } : null,
  };
  const lenders = { find: () => Promise.resolve(lender) } as unknown as LenderCatalogue;
  const connector = {
    adapter: 'rlp',
    openSession: () =>
      failure ? Promise.reject(failure) : Promise.resolve({ kind: 'OPENED', url, covers: ['KYC'] }),
  } as unknown as LenderConnector;
  return new LenderGateway(lenders, new Metrics(), { mode }, [connector]).openSession({
    lenderCode: 'one',
    step: 'KYC',
    partnerId: 'acme',
    subjectId: 'jrn_1',
    reference: 'rdr_1',
    idempotencyKey: 'rdr_1:1',
    payload: barePayload({
      subjectKind: 'JOURNEY',
      applicationId: 'app_1',
      productCode: 'ONLINE_PERSONAL',
      loanAmount: 100_000_00,
    }),
    returnUrl: 'https://partner.example/back',
  });
}

function eligibility(failure: Error) {
  const lenders = { find: () => Promise.resolve({ code: 'one', adapter: 'rlp' }) };
  const connector = { adapter: 'rlp', eligibility: () => Promise.reject(failure) };
  const gateway = new LenderGateway(lenders as never, new Metrics(), { mode: 'sandbox' }, [
    connector as never,
  ]);
  return gateway.eligibility({
    lenderCode: 'one',
    subjectId: 'elg_1',
    idempotencyKey: '1',
    question: {
      productCode: 'ONLINE_PERSONAL',
      loanAmount: 100_000_00,
      pinCode: '560001',
      employmentType: 'salaried',
      monthlyIncome: 60_000_00,
    },
  });
}

const provider = (step: string, host: string) => ({ step, name: 'Example KYC', host });

afterEach(() => void vi.restoreAllMocks());

describe('the session of a lender outside the process', () => {
  it.each<[string, Case['providers']]>([
    ['when the lender has no named host', undefined],
    ['when its host is named for another step only', [provider('ESIGN', 'pages.lender.example')]],
  ])('is refused in production %s, and taken in the sandbox', async (_, providers) => {
    await expect(openSession({ mode: 'production', providers })).rejects.toMatchObject({
      name: 'SessionElsewhere',
      origin: 'https://pages.lender.example',
      host: null,
      message: 'lenders[].providers of one names no host for KYC',
    });
    expect(await openSession({ mode: 'sandbox', providers })).toMatchObject({ url: URL });
    const inside = openSession({ mode: 'production', isOutside: false });
    expect(await inside).toMatchObject({ url: URL });
  });

  const HOST = 'kyc.example.in';

  it.each([
    `https://a.${HOST}/visit`,
    'https://example.in/visit',
    `https://${HOST}.evil.example/visit?token=secret`,
    `https://not${HOST}/visit`,
    'https://k\u0443c.example.in/visit',
    `https://${HOST}@evil.example/visit`,
    `https://${HOST}:8443/visit`,
    `http://${HOST}/visit`,
    'javascript:alert(1)',
  ])(
    'is refused where another host is named for its step, in the sandbox, too: %s',
    async (url) => {
      vi.spyOn(Logger.prototype, 'warn').mockReturnValue();
      for (const mode of ['production', 'sandbox'] as const) {
        const opened = openSession({ mode, providers: [provider('KYC', HOST)], url });
        await expect(opened).rejects.toMatchObject({ name: 'SessionElsewhere', host: HOST });
      }
    },
  );

  it('is taken at the host that is named for its step', async () => {
    const url = `https://${HOST.toUpperCase()}:443/visit?a=1`;
    const providers = [provider('KYC', HOST)];
    expect(await openSession({ mode: 'production', providers, url })).toMatchObject({ url });
  });
});

describe('the log', () => {
  const watch = (level: 'warn' | 'debug') =>
    vi.spyOn(Logger.prototype, level).mockImplementation(() => undefined);
  const NAMES = { lender: 'one', journeyId: 'jrn_1', kind: 'SESSION' };

  it('has an answer that is still pending at debug, without a stack', async () => {
    const [warned, debugged] = [watch('warn'), watch('debug')];
    const failure = new AnswerPending(7_000);
    await expect(openSession({ mode: 'sandbox', failure })).rejects.toBe(failure);
    expect(warned).not.toHaveBeenCalled();
    const [[line]] = debugged.mock.calls as [[object]];
    expect(line).toMatchObject({ ...NAMES, askAgainInMs: 7_000 });
    expect(line).not.toHaveProperty('err');
  });

  it('has a call that failed at warn, with its question', async () => {
    const warned = watch('warn');
    const err = new LenderUnavailable('down');
    await expect(openSession({ mode: 'sandbox', failure: err })).rejects.toBe(err);
    const line = { ...NAMES, question: 'jrn_1:SESSION:rdr_1:1', err };
    expect(warned).toHaveBeenCalledExactlyOnceWith(line);
  });

  it.each([
    ['that was not asked at debug', true],
    ['that failed at warn', false],
  ])('has an eligibility %s, by its id', async (_, isNotCalled) => {
    const [warned, debugged] = [watch('warn'), watch('debug')];
    const failure = Object.assign(new LenderUnavailable('limited'), { isNotCalled });
    await expect(eligibility(failure)).rejects.toBe(failure);
    const [[line]] = [...warned.mock.calls, ...debugged.mock.calls] as [[object]];
    expect(line).toMatchObject({ lender: 'one', eligibilityId: 'elg_1', kind: 'ELIGIBILITY' });
    expect(line).not.toHaveProperty('journeyId');
    expect(warned).toHaveBeenCalledTimes(isNotCalled ? 0 : 1);
  });
});
