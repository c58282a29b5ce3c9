/** MySQL and MariaDB. */
@NullMarked
package dev.pawl.internal.store.mysql;

import org.jspecify.annotations.NullMarked;
