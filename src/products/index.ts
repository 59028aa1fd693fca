export { checkLoanAmount, ProductsModule } from './products.module.js';
