@NullMarked
package dev.pawl.lab.scenario;

import org.jspecify.annotations.NullMarked;
