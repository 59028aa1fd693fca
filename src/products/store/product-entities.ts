import { ProductRow } from './product.entity.js';

export const PRODUCT_ENTITIES = [ProductRow];
