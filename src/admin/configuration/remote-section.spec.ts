import { expect, it } from 'vitest';
import { remoteLenderOf } from './remote-section.js';

it.each(['https://Gateway.Example:443/rlp/', 'https://gateway.example/rlp'])(
  'a lender’s address is kept as the lender itself reads it in what is signed: %s',
  (address) => {
    expect(remoteLenderOf({ address, keys: [] }).address).toBe('https://gateway.example/rlp');
  },
);
