package org.verbena.tools.rping;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.verbena.connect.Connection;
import org.verbena.connect.Connector;
import org.verbena.connect.ConnectorOptions;
import org.verbena.tools.console.StopSign;
import org.verbena.tools.console.ToolException;
import org.verbena.tools.link.LinkSetting;
import org.verbena.verbs.Adapter;

/** The end that has the data: tells where it is, lets the server read it and write it back. */
final class RpingClient {
    private static final int FIRST = 'A';
    private static final int LAST = 'z';

    private final Adapter adapter;
    private final RpingPlan plan;
    private final LinkSetting link;
    private final StopSign stop;
    private final Consumer<String> says;

    RpingClient(Adapter adapter, RpingPlan plan, LinkSetting link, StopSign stop, Consumer<String> says) {
        this.adapter = adapter;
        this.plan = plan;
        this.link = link;
        this.stop = stop;
        this.says = says;
    }

    /** Carries it out on the calling thread. */
    void run(InetSocketAddress server) throws InterruptedException {
        try (RpingSession session = new RpingSession(adapter, plan.size(), stop);
                Connection connection = Connector.connect(
                        adapter,
                        server,
                        session.queuePair(),
                        ConnectorOptions.DEFAULT.withConnection(RpingSession.terms()))) {
            for (int ping = 0; (plan.count() == 0 || ping < plan.count()) && !stop.isRaised(); ping++) {
                ping(session, ping);
            }
            link.linger();
            RpingSession.disconnect(connection);
        }
    }

    private void ping(RpingSession session, int ping) {
        fill(session.start(), ping);
        session.landing().fill((byte) 0);
        session.advertiseStart();
        require(session.hear(), "read the data of ping " + ping);
        session.advertiseLanding();
        require(session.hear(), "wrote back the data of ping " + ping);
        if (plan.checks()) {
            long mismatch = session.landing().mismatch(session.start());
            if (mismatch >= 0) {
                throw new ToolException("data mismatch! Byte " + mismatch + " of " + plan.size() + " of ping " + ping);
            }
        }
        if (plan.shows()) {
            says.accept("ping data: " + text(session.landing()));
        }
    }

    private static void require(@Nullable Advertisement answer, String what) {
        if (answer == null) {
            throw new ToolException("the server has not said that it " + what);
        }
    }

    /** As the original does it: a head, then letters that begin with the next one in each ping, then a zero. */
    private static void fill(MemorySegment data, int ping) {
        byte[] head = ("rdma-ping-" + ping + ": ").getBytes(StandardCharsets.US_ASCII);
        int letter = FIRST + ping % (LAST - FIRST + 1);
        int last = (int) data.byteSize() - 1;
        for (int i = 0; i < last; i++) {
            if (i < head.length) {
                data.set(ValueLayout.JAVA_BYTE, i, head[i]);
            } else {
                data.set(ValueLayout.JAVA_BYTE, i, (byte) letter);
                letter = letter == LAST ? FIRST : letter + 1;
            }
        }
        data.set(ValueLayout.JAVA_BYTE, last, (byte) 0);
    }

    /** Everything before the first zero. */
    static String text(MemorySegment data) {
        return new String(data.asSlice(0, length(data)).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.ISO_8859_1);
    }

    /** Bytes before the first zero. */
    static int length(MemorySegment data) {
        int length = 0;
        while (length < data.byteSize() && data.get(ValueLayout.JAVA_BYTE, length) != 0) {
            length++;
        }
        return length;
    }
}
