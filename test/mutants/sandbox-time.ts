import type { Mutant } from './mutant.ts';

const TRAVEL = ['test/e2e/sandbox-time/travel.isolated.spec.ts'];
const CODE = 'src/sandbox/time-travel.ts';
const PAYMENT = ['test/e2e/sandbox-time/payment-by-call.spec.ts'];
const PAYING = 'src/workbench/api/sandbox-payment.controller.ts';

/** A sandbox's time that is moved, and a payment there by call. */
export const SANDBOX_TIME: readonly Mutant[] = [
  {
    id: 'leap-at-once',
    rule: 'When time is moved it stops where something falls due',
    file: CODE,
    find: 'Math.min(target, now + Math.max(nextInMs, momentMs))',
    replace: 'Math.max(target, nextInMs)',
    specs: TRAVEL,
  },
  {
    id: 'answer-before-it-is-done',
    rule: 'A call that moves time answers when what is due is done',
    file: CODE,
    find: 'if (isOver || waitedFor.length === 0) return look;',
    replace: 'return look;',
    specs: TRAVEL,
  },
  {
    id: 'two-move-time',
    rule: 'One call moves time at a time',
    file: 'src/sandbox/store/sandbox-clock.repository.ts',
    find: 'if (!rows[0].isFree) throw',
    replace: 'if (rows.length === 0) throw',
    specs: TRAVEL,
  },
  {
    id: 'others-not-told',
    rule: 'All replicas have followed before a call that moves time answers',
    file: CODE,
    find: 'await this.news.tell(await this.time.travel(Math.ceil(stop - look.now), move));',
    replace: 'await this.time.travel(Math.ceil(stop - look.now), move);',
    specs: TRAVEL,
  },
  {
    id: 'signed-by-the-moved-clock',
    rule: 'A webhook is signed at the real time',
    file: 'src/webhooks/sender/delivery-attempt.ts',
    find: 'timestamp: this.signing.epochSeconds()',
    replace: 'timestamp: this.clock.epochSeconds()',
    specs: TRAVEL,
  },
  {
    id: 'nonces-forgotten-by-the-moved-clock',
    rule: 'A nonce is known for as long as its signature is good, whatever the sandbox’s time',
    file: 'src/auth/store/admissions.repository.ts',
    find: "real_now() - interval '660 seconds'",
    replace: "app_now() - interval '660 seconds'",
    specs: TRAVEL,
  },
  {
    id: 'pay-for-anybody',
    rule: 'A partner pays by call for its own applications alone',
    file: PAYING,
    find: 'if (lead?.loanType !== INSTANT_PRODUCT) throw',
    replace: "if (lead?.loanType === 'NOTHING') throw",
    specs: PAYMENT,
  },
  {
    id: 'pay-again-by-call',
    rule: 'An order of the simulated gateway is paid once',
    file: 'src/sandbox/sandbox-payments.ts',
    find: 'if (!payment?.details || !isOpen(payment)) return null;',
    replace: 'if (!payment?.details) return null;',
    specs: PAYMENT,
  },
  {
    id: 'replay-presses-again',
    rule: 'A payment by call that is answered from what is kept changes nothing',
    file: PAYING,
    find: 'if (before) return before;',
    replace: 'if (before && !idempotencyKey) return before;',
    specs: PAYMENT,
  },
  {
    id: 'reserved-pan-pays',
    rule: 'With the PAN that is reserved for it a payment fails, whatever is pressed',
    file: 'src/sandbox/sandbox-payments.ts',
    find: "=== 'PAYMENT_FAILS' ? 'FAILED' : wished",
    replace: "=== 'PAYMENT_FAILS' ? wished : wished",
    specs: PAYMENT,
  },
  {
    id: 'same-key-other-application',
    rule: 'An Idempotency-Key of a payment by call belongs to its application',
    file: PAYING,
    find: 'const operation = `sandbox-payment/${applicationId}`;',
    replace: "const operation = 'sandbox-payment';",
    specs: PAYMENT,
  },
];
