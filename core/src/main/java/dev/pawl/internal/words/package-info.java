/** What the types of the API know of how jobs are stored, hidden from users. Depends on the API only. */
@NullMarked
package dev.pawl.internal.words;

import org.jspecify.annotations.NullMarked;
