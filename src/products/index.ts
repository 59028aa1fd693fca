export { checkLoanAmount } from './loan-amount.js';
export { JOURNEY_STEPS, type JourneyStep, type Product } from './product.js';
export { ProductCatalogue } from './product-catalogue.js';
export { ProductRow } from './product.entity.js';
export { ProductsModule } from './products.module.js';
