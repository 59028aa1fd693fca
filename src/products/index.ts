export { checkLoanAmount } from './loan-amount.js';
export { JOURNEY_STEPS, type JourneyStep, type Product } from './product.js';
export { ProductCatalogue } from './product-catalogue.js';
export { ProductsModule } from './products.module.js';
export { PRODUCT_ENTITIES } from './store/product-entities.js';
