import { Injectable } from '@nestjs/common';
import { type LenderReference, LenderReferences } from '../../lenders/index.js';
import type { Tx } from '../../platform/index.js';

interface OwnApplication {
  readonly partnerId: string;
  readonly subjectId: string;
  readonly references: readonly LenderReference[];
}

/** A lender sees only applications whose choice it accepted, or that it was asked to decide. */
@Injectable()
export class OwnApplications {
  constructor(private readonly references: LenderReferences) {}

  async find(
    tx: Tx,
    lenderCode: string,
    applicationIds: readonly string[],
  ): Promise<ReadonlyMap<string, OwnApplication>> {
    const known = await this.references.ofApplications(tx, lenderCode, applicationIds);
    const byApplication = Map.groupBy(known, ({ applicationId }) => applicationId);
    return new Map(
      applicationIds.flatMap((id): [string, OwnApplication][] => {
        const references = byApplication.get(id) ?? [];
        const [first] = references;
        if (!first) return [];
        const { partnerId, subjectId } = first;
        return [[id, { partnerId, subjectId, references }]];
      }),
    );
  }

  /**
   * An unknown loan is allowed: its payout is not recorded yet, or it is a second one.
   * @returns indexes of other applications' loans
   */
  async foreignLoans(
    tx: Tx,
    lenderCode: string,
    loans: readonly { readonly application: OwnApplication; readonly loanReference: string }[],
  ): Promise<number[]> {
    const names = loans.map(({ loanReference }) => loanReference);
    const named = await this.references.loansNamed(tx, lenderCode, names);
    const known = new Set(named.map(({ reference }) => reference));
    return [...loans.entries()].flatMap(([place, { application, loanReference }]) =>
      known.has(loanReference) && !ownLoans(application).includes(loanReference) ? [place] : [],
    );
  }
}

export function ownLoans({ references }: OwnApplication): string[] {
  return references.filter(({ kind }) => kind === 'LOAN').map(({ reference }) => reference);
}
