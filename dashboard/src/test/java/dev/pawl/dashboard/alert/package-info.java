@NullMarked
package dev.pawl.dashboard.alert;

import org.jspecify.annotations.NullMarked;
