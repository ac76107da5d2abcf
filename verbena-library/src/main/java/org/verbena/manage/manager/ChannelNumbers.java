package org.verbena.manage.manager;

import java.util.Arrays;

/** Numbers the channels of a graph: each direction of each cable between switches, by the switch and port that send. */
final class ChannelNumbers {
    private final int[] first;
    private final int[] switchOf;

    ChannelNumbers(SubnetGraph graph) {
        first = new int[graph.switchCount() + 1];
        for (int index = 0; index < graph.switchCount(); index++) {
            first[index + 1] = first[index] + graph.portCount(index) + 1;
        }
        switchOf = new int[count()];
        for (int index = 0; index < graph.switchCount(); index++) {
            Arrays.fill(switchOf, first[index], first[index + 1], index);
        }
    }

    int count() {
        return first[first.length - 1];
    }

    int of(int switchIndex, int port) {
        return first[switchIndex] + port;
    }

    int switchOf(int channel) {
        return switchOf[channel];
    }

    int portOf(int channel) {
        return channel - first[switchOf[channel]];
    }
}
