@NullMarked
package dev.pawl.dashboard.docs;

import org.jspecify.annotations.NullMarked;
