export { checkLoanAmount } from './check-loan-amount.js';
export { ProductsModule } from './products.module.js';
