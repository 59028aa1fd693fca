/**
 * SHA-256 of every key and secret in `config/sandbox.yaml`; a test keeps them together. Hashes, so that
 * no scanner takes this file for a leak.
 */
export const OPEN_KEY_HASHES: ReadonlySet<string> = new Set([
  '1f077580a5771e4d0ea4f081a01962fff3e49b209e1e4fd6e58a877945de5f66',
  '4780b6c33f7ef0fc4ebda6e3f15a271ba771c088be88ee6d9b4076d7f6859108',
  '87d4934a12eb3f5c2ac449b7a53b3593657437733cf7f2e545d2139657d8313c',
  'e5dc112aec7081780df989d3f3090107e2b953d3c13d308422ed1e95963a9f95',
  '92f81dcd366861950a03e5eab93d5dbc253e3f3f7c76a5d3f6b1ebeef2fefca8',
  '69bce75c16c53b7021388fd7ec99ac262833d8bb8a6c9388bd91fe5b8163b787',
  '24bdb9819950474bf45a8199bc002929a576dd59b8e37165d168acb593374027',
  '3ac473a33ec634288fc0809329e420ed0ce5df4039f0cca5155492a96e8505a0',
]);
