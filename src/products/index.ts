export { checkLoanAmount } from './loan-amount.js';
export { ProductsModule } from './products.module.js';
