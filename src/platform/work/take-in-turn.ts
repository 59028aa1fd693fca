import type { Database } from '../database/database.js';
import type { Tx } from '../database/tx.js';

interface DueWork<Claimed extends { readonly id: string }> {
  /** How many one pass takes at most. */
  readonly max: number;
  /** A look outside any transaction at whether there is one at all: for a pass that comes often, mostly in vain. */
  readonly isAnyDue?: () => Promise<boolean>;
  /** The next one that is due, its row locked, of those that nobody else is taking; null: none is left. */
  readonly claim: (tx: Tx, passedOver: readonly string[]) => Promise<Claimed | null>;
  readonly work: (tx: Tx, claimed: Claimed) => Promise<void>;
  readonly onFailure: (error: unknown, claimed: Claimed) => void;
}

/**
 * One pass over what is due, one by one, each in a transaction of its own that holds its row. One
 * that fails must not hold up the others: it is passed over until the next pass.
 */
export async function takeInTurn<Claimed extends { readonly id: string }>(
  database: Database,
  { max, isAnyDue, claim, work, onFailure }: DueWork<Claimed>,
): Promise<void> {
  if (isAnyDue && !(await isAnyDue())) return;
  const passedOver: string[] = [];
  for (let done = 0; done < max; done += 1) {
    let claimed = null as Claimed | null;
    try {
      await database.transaction(async (tx) => {
        claimed = await claim(tx, passedOver);
        if (claimed) await work(tx, claimed);
      });
    } catch (error) {
      if (!claimed) throw error;
      onFailure(error, claimed);
      passedOver.push(claimed.id);
    }
    if (!claimed) return;
  }
}
