import { Module } from '@nestjs/common';
import { ProductCatalogue } from './product-catalogue.js';
import { ProductsController } from './products.controller.js';

/** What a partner may offer. */
@Module({
  controllers: [ProductsController],
  providers: [ProductCatalogue],
  exports: [ProductCatalogue],
})
export class ProductsModule {}
