import { Module } from '@nestjs/common';
import { ProductsController } from './products.controller.js';

/** What a partner may offer. */
@Module({ controllers: [ProductsController] })
export class ProductsModule {}
