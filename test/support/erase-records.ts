import { type LoanKey, PersonalDataRegistry } from '../../src/erasure/index.js';
import { Database } from '../../src/platform/index.js';
import type { TestService } from './service.js';

/** Erases a loan's records at every holder; returns how many had any. */
export function eraseRecords(service: TestService, loan: LoanKey): Promise<number> {
  const { recordHolders } = service.get<PersonalDataRegistry>(PersonalDataRegistry);
  return service.get<Database>(Database).transaction(async (tx) => {
    let count = 0;
    for (const holder of recordHolders) count += await holder.erase(tx, loan);
    return count;
  });
}
