/** MySQL and MariaDB. */
@NullMarked
package dev.pawl.internal.database.mysql;

import org.jspecify.annotations.NullMarked;
