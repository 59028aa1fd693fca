import { Decimal } from 'decimal.js';

/**
 * The decimal arithmetic of this folder: 40 significant digits, half up.
 *
 * It is a clone, so that a setting made elsewhere in the process on the shared constructor can never
 * change an instalment. 40 digits leave more than 20 to spare when (1+i)^600 is taken of the largest
 * principal.
 */
export const LoanDecimal = Decimal.clone({ precision: 40, rounding: Decimal.ROUND_HALF_UP });

export type { Decimal };
