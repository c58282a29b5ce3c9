/** What the types of the API know about how jobs are stored, hidden from users. Depends only on the API. */
@NullMarked
package dev.pawl.internal.words;

import org.jspecify.annotations.NullMarked;
