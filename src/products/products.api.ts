import { PartnerCall } from '../platform/index.js';
import { ProductList } from './product-view.js';

export const ListProductsCall = () =>
  PartnerCall({
    operationId: 'listProducts',
    summary: 'List the products of the key',
    description: 'The loan products that the key may offer.',
    answer: ProductList,
  });
