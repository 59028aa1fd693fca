import type { Database } from '../database/database.js';
import type { Tx } from '../database/tx.js';

interface Turns<Claimed extends { readonly id: string }> {
  readonly max: number;
  /** Locks the next due item that is not taken; null without one. */
  readonly claim: (tx: Tx, passedOver: readonly string[]) => Promise<Claimed | null>;
  readonly work: (tx: Tx, claimed: Claimed) => Promise<void>;
  readonly onFailure: (error: unknown, claimed: Claimed) => void;
}

/** A failed item is skipped until the next pass. */
export async function takeInTurn<Claimed extends { readonly id: string }>(
  database: Database,
  { max, claim, work, onFailure }: Turns<Claimed>,
): Promise<void> {
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
