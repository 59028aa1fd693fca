import { Injectable } from '@nestjs/common';
import { JourneyFeesRepository } from '../journeys/index.js';
import { type Unfinished, UnfinishedAccounts } from '../payments/index.js';
import type { FieldProblem, Tx } from '../platform/index.js';
import {
  ConfiguredGateways,
  LendersRepository,
  PaymentAccounts,
  type PaymentSettings,
} from '../settings/index.js';
import type { Configuration } from './configuration/configuration.js';

export const OPERATORS_ACCOUNT = 'operator';

interface Change {
  readonly file: Configuration;
  /** Null: no configuration yet. */
  readonly gatewaysSealed: string | null;
  /** The operator declares these accounts unchanged but for a new key. */
  readonly sameAccounts: readonly string[];
}

interface Place {
  /** Null: the operator's. */
  readonly account: string | null;
  readonly path: string;
  /** Undefined: none. */
  readonly next: PaymentSettings | undefined;
  readonly inForce: PaymentSettings | null;
}

/**
 * Refuses to drop an account with open orders or refunds, which only that account knows. Only the gateway knows a key's
 * account, so the operator declares new keys of the same account.
 */
@Injectable()
export class PaymentAccountChanges {
  constructor(
    private readonly unfinished: UnfinishedAccounts,
    private readonly fees: JourneyFeesRepository,
    private readonly gateways: ConfiguredGateways,
    private readonly lenders: LendersRepository,
    private readonly accounts: PaymentAccounts,
  ) {}

  async mistakes(tx: Tx, change: Change): Promise<FieldProblem[]> {
    const problems: FieldProblem[] = [];
    for (const place of await this.placesOf(tx, change)) {
      problems.push(...(await this.mistakesAt(tx, place, change.sameAccounts)));
    }
    return problems;
  }

  private async placesOf(tx: Tx, { file, gatewaysSealed }: Change): Promise<Place[]> {
    const kept = await this.lenders.sealed(tx);
    const lenders = file.lenders.map(({ code, payment: next }, index): Place => {
      const sealed = kept.get(code)?.paymentSealed ?? null;
      const inForce = sealed === null ? null : this.accounts.open(sealed);
      return { account: code, path: `lenders[${index}].payment`, next, inForce };
    });
    const inForce = gatewaysSealed === null ? null : this.gateways.open(gatewaysSealed).payment;
    return [{ account: null, path: 'payment', next: file.payment, inForce }, ...lenders];
  }

  private async mistakesAt(
    tx: Tx,
    { account, path, next, inForce }: Place,
    sameAccounts: readonly string[],
  ): Promise<FieldProblem[]> {
    if (inForce?.kind !== 'razorpay') return [];
    const name = account ?? OPERATORS_ACCOUNT;
    const isLeftOut = next?.kind !== 'razorpay';
    if (!isLeftOut && (next.keyId === inForce.keyId || sameAccounts.includes(name))) return [];
    // Future orders need any account, not this one.
    const choices = isLeftOut && account !== null ? await this.fees.countUnordered(tx, account) : 0;
    const left = wordsOf({ ...(await this.unfinished.count(tx, inForce.kind, account)), choices });
    if (left === '') return [];
    const [field, message] = isLeftOut
      ? [path, `must stay until ${left} of this account are over`]
      : [
          `${path}.razorpay.keyId`,
          `must stay until ${left} of the current account are over; for a new key of the ` +
            `same account, apply with --same-account ${name}`,
        ];
    return [{ field, message }];
  }
}

function wordsOf({ choices, orders, payments, refunds }: Unfinished & { choices: number }): string {
  const counted = [
    [choices, 'unpaid application'],
    [orders, 'order'],
    [payments, 'undecided payment'],
    [refunds, 'refund'],
  ] as const;
  return counted
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${count} ${word}${count === 1 ? '' : 's'}`)
    .join(', ');
}
