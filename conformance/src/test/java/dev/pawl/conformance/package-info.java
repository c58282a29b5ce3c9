/** What every part of the suite shares. */
@NullMarked
package dev.pawl.conformance;

import org.jspecify.annotations.NullMarked;
